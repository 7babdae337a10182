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
  const declare = (role: object) =>
    project.write(
      'Pulumi.yaml',
      program({
        account: { type: 'svc:Table', properties: { table: { name: 'account' } } },
        permission: {
          type: 'svc:SelectPermission',
          properties: { table: outputOf('account.table'), columns: ['id'], filter: {}, ...role },
        },
      }),
    )
  const ids = async () => (await project.resources()).map(({ id }) => id).sort()

  declare({})
  await project.succeed('config', 'set', 'svc:defaultSource', 'ledger')
  assert.match(
    (await project.run('preview')).stdout,
    /property role value .*: is required\n\s*Give it here, or set defaultRole of the provider/,
  )
  await project.succeed('config', 'set', 'svc:defaultRole', 'reader')
  await project.up()
  assert.deepEqual(await ids(), ['ledger/public/account', 'ledger/public/account/reader'])
  assert.equal(await project.isChanged('--refresh'), false)

  declare({ role: 'reader', source: 'ledger' })
  await project.succeed('config', 'set', 'svc:defaultRole', 'other')
  assert.equal(await project.isChanged(), false, 'said where it was a default')
  declare({ role: 'writer' })
  assert.deepEqual(await project.planned(), ['permission replace'])
  await project.up('--skip-preview')
  assert.deepEqual(await ids(), ['ledger/public/account', 'ledger/public/account/writer'])
})
