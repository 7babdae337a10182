/** Defaults of the provider stand in for what resources do not say, and are no drift. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const outputOf = (name: string) => `\${${name}}`

test('defaultSource and defaultRole stand in, change nothing where they say what is there, and give way', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const configuration = { connection_info: { database_url: database.url } }
  await engine.metadata('pg_add_source', { name: 'ledger', configuration })
  const project = await createPulumiProject(engine, t)
  const declare = (role: object, more: object = {}, options: object = {}) =>
    project.write(
      'Pulumi.yaml',
      program({
        account: { type: 'svc:Table', properties: { table: { name: 'account' } } },
        permission: {
          type: 'svc:SelectPermission',
          properties: { table: outputOf('account.table'), columns: ['id'], filter: {}, ...role },
          options,
        },
        ...more,
      }),
    )
  const ids = async () => (await project.resources()).map(({ id }) => id).sort()

  declare({})
  await project.succeed('config', 'set', 'svc:defaultSource', 'ledger')
  await project.succeed('config', 'set', 'svc:owner', 'pulumi {project}/{stack}')
  assert.match(
    (await project.run('preview')).stdout,
    /property role value .*: is required\n\s*Give it here, or set defaultRole of the provider/,
  )
  await project.succeed('config', 'set', 'svc:defaultRole', 'reader')
  // with the least scope of a plan it is previewed, and nothing else
  const { body: made } = await engine.metadata('create_access_token', { name: 'plan', scopes: [{ allow: 'plan' }] })
  project.environment.SVC_GRAPHQL_TOKEN = made.token
  const previewed = await project.run('up', '--yes')
  const said = previewed.stdout + previewed.stderr
  assert.notEqual(previewed.code, 0, said)
  assert.match(said, /Previewing update[\s\S]*Updating[\s\S]*needs the scope "change"/)
  assert.doesNotMatch((await engine.metadata('export_metadata', {})).text, /"account"/)
  project.environment.SVC_GRAPHQL_TOKEN = undefined
  await project.up()
  assert.deepEqual(await ids(), ['ledger/public/account', 'ledger/public/account/reader'])
  assert.equal(await project.isChanged('--refresh'), false)

  declare({ role: 'reader', source: 'ledger' })
  await project.succeed('config', 'set', 'svc:defaultRole', 'other')
  assert.equal(await project.isChanged(), false, 'said where it was a default')
  // what is imported has the stack's owner with the first update that writes
  await engine.metadata('create_query_collection', { name: 'reports', definition: { queries: [] } })
  const reports = {
    type: 'svc:QueryCollection',
    properties: { name: 'reports', queries: [] },
    options: { import: 'reports' },
  }
  declare({ role: 'writer' }, { reports }, { dependsOn: [outputOf('reports')] })
  assert.deepEqual((await project.planned()).toSorted(), ['permission replace', 'reports import'])
  await project.up('--skip-preview')
  assert.deepEqual(await ids(), ['ledger/public/account', 'ledger/public/account/writer', 'reports'])
  const { body } = await engine.metadata('get_object_owners', {})
  assert.deepEqual(
    body.owners.map(({ object, owner }: { object: { type: string }; owner: string }) => [object.type, owner]).sort(),
    ['query_collection', 'select_permission', 'table'].map((type) => [type, 'pulumi test/test']),
  )
})
