/** One-off events by the real Terraform: made, another in their place, imported, deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const event = (payload: number) => `${requiredProvider}
resource "svc_scheduled_event" "remind" {
  webhook     = "http://127.0.0.1:1/remind"
  schedule_at = "2090-01-01T09:00:00Z"
  payload     = jsonencode({ user = ${payload} })
}
`

test('a one-off event is made, replaced in place, imported by its id and deleted', {
  skip: withoutTerraform,
}, async (t) => {
  const engine = await startEngine({}, t)
  const folder = await createTerraformFolder(engine, t)
  const events = async (): Promise<readonly { readonly id: string; readonly payload: { readonly user: number } }[]> =>
    (await engine.metadata('get_scheduled_events', { type: 'one_off' })).body.events
  await folder.write('main.tf', event(1))
  await folder.apply()
  const [first] = await events()
  assert.deepEqual(await folder.planned(), [])
  await folder.write('main.tf', event(2))
  assert.deepEqual(await folder.applied(), ['svc_scheduled_event.remind update'])
  const [second, ...others] = await events()
  assert.deepEqual([second?.payload, others], [{ user: 2 }, []])
  assert.notEqual(second?.id, first?.id)
  assert.deepEqual(await folder.planned(), [])
  await folder.succeed('state', 'rm', 'svc_scheduled_event.remind')
  await folder.succeed('import', '-no-color', 'svc_scheduled_event.remind', second?.id ?? '')
  assert.deepEqual(await folder.planned(), [])
  await folder.succeed('destroy', '-no-color', '-auto-approve')
  assert.deepEqual(await events(), [])
})
