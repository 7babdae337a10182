/** What a stack declares is its own: by the real Terraform, two stacks and an engine that protects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const stack = (owner: string, comment: string, more = '') => `${requiredProvider}
provider "svc" {
  owner          = "${owner}"
  adopt_existing = true
}
resource "svc_table" "account" {
  source   = "ledger"
  table    = { name = "account" }
  comment  = "${comment}"
  ${more}
}
`

const reports = `
resource "svc_query_collection" "reports" {
  name    = "reports"
  queries = []
}
`

test('two stacks cannot own one object, and only its own stack can change a protected one', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_PROTECT_OWNED: 'true' } }, t)
  const configuration = { connection_info: { database_url: database.url } }
  await engine.metadata('pg_add_source', { name: 'ledger', configuration })
  const [first, second] = [await createTerraformFolder(engine, t), await createTerraformFolder(engine, t)]
  await first.write('main.tf', stack('billing', 'One'))
  // with the least scope of a plan it is planned, and nothing else
  const { body: made } = await engine.metadata('create_access_token', { name: 'plan', scopes: [{ allow: 'plan' }] })
  first.environment.SVC_GRAPHQL_TOKEN = made.token
  const planned = await first.run('apply', '-auto-approve', '-no-color')
  assert.deepEqual([planned.code, /Plan: 1 to add/.test(planned.stdout)], [1, true], planned.stderr)
  assert.match(planned.stderr, /needs the[\s│]+scope[\s│]+"change"/)
  assert.doesNotMatch((await engine.metadata('export_metadata', {})).text, /"account"/)
  first.environment.SVC_GRAPHQL_TOKEN = undefined
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

  // what is taken over as it is is the stack's with the first apply that writes
  await engine.metadata('create_query_collection', { name: 'reports', definition: { queries: [] } })
  await first.write('main.tf', stack('billing', 'Three', 'depends_on = [svc_query_collection.reports]') + reports)
  await first.succeed('apply', '-auto-approve')
  assert.equal(await first.isChanged(), false)
  const { body } = await engine.metadata('get_object_owners', { objects: [{ type: 'query_collection' }] })
  assert.deepEqual(
    body.owners.map(({ owner }: { owner: string }) => owner),
    ['billing'],
  )
  await first.succeed('destroy', '-auto-approve')
  // what was given up is free
  await second.succeed('apply', '-auto-approve')
  assert.equal(await second.isChanged(), false)
})
