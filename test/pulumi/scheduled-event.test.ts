/** One-off events by the real Pulumi: made, replaced, deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const event = (user: number) =>
  program({
    remind: {
      type: 'svc:ScheduledEvent',
      properties: { webhook: 'http://127.0.0.1:1/remind', scheduleAt: '2090-01-01T09:00:00Z', payload: { user } },
    },
  })

test('a one-off event is made, replaced by another one and deleted', { skip: withoutPulumi }, async (t) => {
  const engine = await startEngine({}, t)
  const project = await createPulumiProject(engine, t)
  const events = async (): Promise<readonly { readonly id: string; readonly payload: object }[]> =>
    (await engine.metadata('get_scheduled_events', { type: 'one_off' })).body.events
  project.write('Pulumi.yaml', event(1))
  await project.up()
  const [first] = await events()
  assert.equal((await project.resources())[0]?.id, first?.id)
  assert.deepEqual(await project.planned('--refresh'), [])
  project.write('Pulumi.yaml', event(2))
  assert.deepEqual(await project.planned('--refresh'), ['remind replace'])
  await project.up()
  const [second, ...others] = await events()
  assert.deepEqual([second?.payload, others], [{ user: 2 }, []])
  assert.notEqual(second?.id, first?.id)
  assert.deepEqual(await project.planned('--refresh'), [])
  await project.succeed('destroy', '--yes', '--skip-preview')
  assert.deepEqual(await events(), [])
})
