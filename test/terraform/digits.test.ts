/** Long numbers by the real Terraform: its own numbers and texts of JSON, on the oldest Node of the provider, too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform

const declaring = (filter: string) => `${requiredProvider}
resource "svc_table" "account" {
  table = { name = "account" }
}

resource "svc_select_permission" "user" {
  table   = svc_table.account.table
  role    = "user"
  columns = ["id"]
  filter  = ${filter}
}
`

test('a filter keeps the digits of its numbers on the way to the engine and back', { skip }, async (t) => {
  const { engine, ids } = await startLedger(t)
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', declaring(`jsonencode({ id = { _eq = ${LONG} } })`))
  await folder.apply()
  assert.deepEqual(await ids('user'), [LONG])
  assert.equal(await folder.isChanged(), false)
  for (const same of [
    `"{\\"id\\": {\\"_eq\\": ${LONG}.0}}"`,
    'jsonencode({ id = { _eq = 9.007199254740993e15 } })',
    `jsonencode({ id = { _eq = 9007199254740992 + 1 } })`,
  ]) {
    await folder.write('main.tf', declaring(same))
    assert.equal(await folder.isChanged(), false, same)
  }
  // the neighbour is another number
  await folder.write('main.tf', declaring('jsonencode({ id = { _eq = 9007199254740992 } })'))
  assert.deepEqual(await folder.planned(), ['svc_select_permission.user update'])
  await folder.write('main.tf', declaring(`jsonencode({ id = { _eq = ${LONG} } })`))
  const filter = { id: { _eq: JSON.rawJSON('9007199254740995') } }
  const by = { table: 'account', role: 'user' }
  await engine.metadata('pg_drop_select_permission', by)
  await engine.metadata('pg_create_select_permission', { ...by, permission: { columns: ['id'], filter } })
  assert.deepEqual(await folder.planned(), ['svc_select_permission.user update'])
  await folder.apply()
  assert.deepEqual(await ids('user'), [LONG])
  const { resources } = await folder.state()
  const state = resources.find(({ type }) => type === 'svc_select_permission')
  assert.equal(state?.instances[0]?.attributes.filter, `{"id":{"_eq":${LONG}}}`)
  // imported, it is what it was
  await folder.succeed('state', 'rm', 'svc_select_permission.user')
  await folder.succeed('import', 'svc_select_permission.user', 'default/public/account/user')
  assert.equal(await folder.isChanged(), false)
})

test('digits are kept on the Node of the path, which may be older than that of the tests', { skip }, async (t) => {
  const { engine, ids } = await startLedger(t)
  const folder = await createTerraformFolder(engine, t)
  folder.environment.PATH = process.env.PATH
  await folder.write('main.tf', declaring(`jsonencode({ amount = { _eq = 0.12345678901234567891 }, id = ${LONG} })`))
  await folder.apply()
  assert.deepEqual(await ids('user'), [LONG])
  assert.equal(await folder.isChanged(), false)
  await folder.write('main.tf', declaring('"{\\"amount\\": {\\"_lt\\": 1e400}}"'))
  await folder.apply()
  assert.equal(await folder.isChanged(), false)
  await folder.write('main.tf', declaring('"{\\"amount\\": {\\"_lt\\": 1e200000}}"'))
  const { stdout, stderr } = await folder.run('plan')
  assert.match(`${stdout}${stderr}`, /the number 1e\+?200000 is beyond what a database holds/)
})
