/** Defaults of the provider stand in for what resources do not say, and are no drift. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const provider = (settings: string) => `${requiredProvider}
provider "svc" {
  ${settings}
}
`

const permission = (role: string) => `
resource "svc_table" "account" {
  table = { name = "account" }
}
resource "svc_select_permission" "account" {
  table = svc_table.account.table
  ${role}
  columns = ["id"]
  filter  = jsonencode({})
}
`

const read = `
data "svc_select_permission" "account" {
  table      = svc_table.account.table
  depends_on = [svc_select_permission.account]
}
output "read" {
  value = data.svc_select_permission.account.columns
}
`

test('default_source and default_role stand in, change nothing where they say what is there, and give way', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const configuration = { connection_info: { database_url: database.url } }
  await engine.metadata('pg_add_source', { name: 'ledger', configuration })
  const ids = async () =>
    (await folder.state()).resources.flatMap(({ instances }) => instances.map(({ attributes }) => attributes.id)).sort()
  const folder = await createTerraformFolder(engine, t)

  await folder.write('main.tf', provider('default_source = "ledger"') + permission(''))
  assert.equal((await folder.run('validate', '-no-color')).code, 0, 'the provider is not configured yet')
  const { code, stderr } = await folder.run('plan', '-no-color')
  assert.equal(code, 1)
  assert.match(
    stderr,
    /Error: role: is required\n\n {2}with svc_select_permission.account,[\s\S]*set default_role of the provider/,
  )

  await folder.write(
    'main.tf',
    provider('default_source = "ledger"\n  default_role = "reader"') + permission('') + read,
  )
  await folder.apply()
  const there = ['ledger/public/account', 'ledger/public/account/reader', 'ledger/public/account/reader']
  assert.deepEqual(await ids(), there)
  assert.equal(await folder.isChanged(), false)

  // said where it was a default, and the default from the environment: nothing differs
  folder.environment.SVC_GRAPHQL_DEFAULT_SOURCE = 'ledger'
  await folder.write('main.tf', provider('default_role = "other"') + permission('role = "reader"'))
  assert.equal((await folder.planned()).length, 0)
  // what is said wins over the default
  await folder.write('main.tf', provider('default_role = "reader"') + permission('role = "writer"'))
  assert.deepEqual(await folder.planned(), ['svc_select_permission.account update'])
  await folder.apply()
  assert.deepEqual(await ids(), ['ledger/public/account', 'ledger/public/account/writer'])
})
