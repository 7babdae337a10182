/** What a stack declares is its own: by the real Terraform, two stacks and an engine that protects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const stack = (owner: string, comment: string) => `${requiredProvider}
provider "svc" {
  owner          = "${owner}"
  adopt_existing = true
}
resource "svc_table" "account" {
  source   = "ledger"
  table    = { name = "account" }
  comment  = "${comment}"
}
`

test('two stacks cannot own one object, and a protected one is its own stack alone', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_PROTECT_OWNED: 'true' } }, t)
  const configuration = { connection_info: { database_url: database.url } }
  await engine.metadata('pg_add_source', { name: 'ledger', configuration })
  const [first, second] = [await createTerraformFolder(engine, t), await createTerraformFolder(engine, t)]
  await first.write('main.tf', stack('billing', 'One'))
  await first.succeed('apply', '-auto-approve')

  await second.write('main.tf', stack('shop', 'Two'))
  const refused = await second.run('plan', '-no-color')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Error: table account in source ledger is owned by "billing"[\s\S]*set_object_owners/)

  // by hand, with the admin secret and no owner
  const untrack = { source: 'ledger', table: 'account' }
  const byHand = await engine.metadata('pg_untrack_table', untrack)
  assert.match(JSON.stringify(byHand.body), /billing/)
  assert.equal(byHand.status, 403)

  await first.write('main.tf', stack('billing', 'Three'))
  await first.succeed('apply', '-auto-approve')
  assert.equal(await first.isChanged(), false)
  await first.succeed('destroy', '-auto-approve')
  // what was given up is free
  await second.succeed('apply', '-auto-approve')
  assert.equal(await second.isChanged(), false)
})
