/** The component of a table with its permissions, by the real Pulumi. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const outputOf = (name: string) => `\${${name}}`
const reader = { columns: ['id'], filter: {} }

test('a table with its permissions is planned, made, changed and deleted as resources of their own', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY, owner text)')
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const project = await createPulumiProject(engine, t)
  const declare = (permissions: object, more: object = {}) =>
    project.write(
      'Pulumi.yaml',
      program({
        account: { type: 'svc:TableWithPermissions', properties: { table: { name: 'account' }, permissions, ...more } },
        beside: {
          type: 'svc:SelectPermission',
          properties: { table: outputOf('account.table'), role: 'beside', ...reader },
        },
      }),
    )
  const ids = async () =>
    (await project.resources()).flatMap(({ id }) => (id === undefined || id === '' ? [] : [id])).sort()
  const table = 'default/public/account'

  declare({ reader: { select: { columns: ['id', 'ownr'], filter: {} } } })
  const wrong = await project.run('preview')
  assert.match(wrong.stdout, /account-reader-select[\s\S]*columns\[1\]: .*column "ownr" does not exist/)

  declare({ reader: { select: reader }, writer: { update: { columns: ['owner'], filter: {} } } })
  const made = ['account create', 'account create', 'account-reader-select create', 'account-writer-update create']
  assert.deepEqual((await project.planned()).toSorted(), [...made, 'beside create'].sort())
  await project.up()
  assert.deepEqual(await ids(), [table, `${table}/beside`, `${table}/reader`, `${table}/writer`])
  const all = await project.resources()
  const providers = new Set(all.flatMap((one) => ('provider' in one && one.provider ? [one.provider] : [])))
  assert.equal(providers.size, 1, 'one process of the provider knows the whole stack')
  assert.equal(await project.isChanged('--refresh'), false)

  declare({ reader: { select: { ...reader, limit: 5 } } }, { comment: 'Of the ledger' })
  assert.deepEqual((await project.planned()).toSorted(), [
    'account update',
    'account-reader-select update',
    'account-writer-update delete',
  ])
  await project.up()
  assert.deepEqual(await ids(), [table, `${table}/beside`, `${table}/reader`])
  await project.succeed('destroy', '--yes', '--skip-preview')
  const { body } = await engine.metadata('export_metadata', {})
  assert.deepEqual(body.sources[0].tables, [])
})
