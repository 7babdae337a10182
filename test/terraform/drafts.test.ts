/** A stack's plan is drafted in the engine, its apply is held to what was approved, and what it breaks is said by the plan. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const program = (columns: string) => `${requiredProvider}
resource "svc_table" "account" {
  table = { name = "account" }
}
resource "svc_select_permission" "account" {
  table   = svc_table.account.table
  role    = "reader"
  columns = [${columns}]
  filter  = jsonencode({})
}
`

test('an apply makes what was drafted of its plan; another program, or another change between, is refused', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY, secret text)')
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const [folder, cli] = await Promise.all([createTerraformFolder(engine, t), createSvcFolder(engine, t)])
  const drafted = async () => {
    const id = randomUUID()
    folder.environment.SVC_GRAPHQL_PLAN_ID = id
    await folder.succeed('plan', '-no-color')
    folder.environment.SVC_GRAPHQL_PLAN_ID = undefined
    const { code, stdout, stderr } = await cli.svc('plan', '--of', id, '--draft')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /select on public\.account in source default: permission granted/)
    return /^ {2}SVC_GRAPHQL_DRAFT=([0-9a-f]{64})$/m.exec(stdout)?.[1]
  }
  const tables = async () => (await engine.metadata('export_metadata', {})).body.sources[0].tables

  await folder.write('main.tf', program('"id"'))
  const stale = await drafted()
  await engine.metadata('set_api_limits', { disabled: false, depth_limit: { global: 50 } })
  folder.environment.SVC_GRAPHQL_DRAFT = stale
  const late = await folder.run('apply', '-no-color', '-auto-approve')
  assert.equal(late.code, 1)
  assert.match(late.stderr.replace(/\s*[│╷╵]?\s+/g, ' '), /another client has changed api_limits.*: make it again/)
  assert.deepEqual(await tables(), [])

  folder.environment.SVC_GRAPHQL_DRAFT = undefined
  folder.environment.SVC_GRAPHQL_DRAFT = await drafted()
  await folder.write('main.tf', program('"id", "secret"'))
  const other = await folder.run('apply', '-no-color', '-auto-approve')
  assert.equal(other.code, 1)
  assert.match(
    other.stderr.replace(/\s*[│╷╵]?\s+/g, ' '),
    /this is not what the draft [0-9a-f]{64} makes of select_permission reader in table account/,
  )
  assert.equal((await tables())[0].select_permissions, undefined)

  await folder.write('main.tf', program('"id"'))
  await folder.apply()
  assert.deepEqual((await tables())[0].select_permissions[0].permission.columns, ['id'])

  // what the plan means is read in the plan, once all that it waits for is planned
  const asked = await engine.post('/v1/graphql', { query: 'query Ids { account { id } }' }, { 'x-svc-role': 'reader' })
  assert.deepEqual(asked.body, { data: { account: [] } })
  await engine.metadata('get_usage', {})
  const preview = (after: string) => `
locals {
  planned = [${after}]
}
data "svc_preview" "api" {
  after = local.planned
}
output "breaking" {
  value = "\${data.svc_preview.api.breaking} broken, \${data.svc_preview.api.breaking_used} used"

  precondition {
    condition     = data.svc_preview.api.breaking_used == 0
    error_message = "clients use what goes"
  }
}
`
  const flat = ({ stdout, stderr }: { stdout: string; stderr: string }) => (stdout + stderr).replace(/[│╷╵]?\s+/g, ' ')
  await folder.write('main.tf', program('"secret"') + preview('svc_select_permission.account.id'))
  const breaking = await folder.run('plan', '-no-color')
  assert.equal(breaking.code, 1)
  assert.match(flat(breaking), /clients use what goes/)
  assert.match(
    flat(breaking),
    /Warning: \d+ breaking changes, \d+ of them used of the API at http.* account\.id was removed\. used by Ids once/,
  )
  assert.equal(flat(breaking).match(/account\.id was removed/g)?.length, 1)
  // nothing can come after what is deleted: whether it is planned before the preview is read or later, it is warned of
  await folder.write('main.tf', program('"id"').split('resource "svc_select')[0] + preview('svc_table.account.id'))
  const deleting = await folder.run('plan', '-no-color')
  assert.equal(flat(deleting).match(/permission revoked/g)?.length, 1, flat(deleting))

  const unknown = await cli.svc('plan', '--of', randomUUID(), '--draft')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /has no plan /)
})
