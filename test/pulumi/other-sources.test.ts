/** Sources of BigQuery and SQL Server in Pulumi: on a double of BigQuery's API, and on an engine that only keeps them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { exampleFile } from '../../tools/sdk/convert-examples.ts'
import { startWarehouse } from '../bigquery/warehouse.ts'
import { startEngine } from '../engine.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const outputOf = (name: string) => `\${${name}}`

test('the example of BigQuery is previewed, made, refreshed, changed and destroyed; the key is in no state', {
  skip: withoutPulumi,
}, async (t) => {
  const { double, env } = await startWarehouse(t)
  const engine = await startEngine({ env }, t)
  await engine.metadata('replace_metadata', { version: 3, sources: [] })
  const project = await createPulumiProject(engine, t)
  const { resources } = parse(readFileSync(exampleFile('BigquerySource'), 'utf8'))
  const { serviceAccountFromEnv: _, ...properties } = resources.warehouse.properties
  const declare = (more: object) =>
    project.write(
      'Pulumi.yaml',
      program(
        {
          ...resources,
          warehouse: {
            ...resources.warehouse,
            properties: { ...properties, projectId: double.project, ...more },
          },
        },
        { config: { key: { type: 'string', secret: true } } },
      ),
    )
  declare({ serviceAccount: outputOf('key') })
  await project.succeed('config', 'set', '--secret', 'key', JSON.stringify(double.account.json))
  const { said } = await project.preview()
  assert.deepEqual(said, [])
  await project.up()
  assert.equal(await project.isChanged('--refresh'), false)
  const { body } = await engine.metadata('export_metadata', {})
  assert.deepEqual(
    body.sources[0].tables.map((one: { readonly table: unknown }) => one.table),
    [{ dataset: 'sales', name: 'order' }],
  )
  const secret = double.account.json.private_key.split('\n')[1] ?? ''
  assert.equal((await project.succeed('stack', 'export')).includes(secret), false)

  declare({ serviceAccountWo: outputOf('key'), serviceAccountWoVersion: 1, datasets: ['sales'], retryLimit: 1 })
  assert.deepEqual(await project.planned(), ['warehouse update'])
  await project.up()
  assert.equal(await project.isChanged('--refresh'), false)
  assert.equal((await project.succeed('stack', 'export', '--show-secrets')).includes(secret), false)
  await project.succeed('destroy', '--yes', '--skip-preview')
  assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources, [])
})

test('what is in a source of SQL Server is imported by ids with its schema, and is in dbo without one', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startEngine({}, t)
  const sources = [
    {
      name: 'shop',
      kind: 'mssql',
      configuration: { connection_info: { connection_string: { from_env: 'SHOP_MSSQL' } } },
      tables: [{ table: { schema: 'dbo', name: 'album' } }],
    },
  ]
  const { status } = await engine.metadata(
    'replace_metadata',
    { metadata: { version: 3, sources }, allow_inconsistent_metadata: true },
    { version: 2 },
  )
  assert.equal(status, 200)
  const project = await createPulumiProject(engine, t)
  project.write(
    'Pulumi.yaml',
    program({
      shop: {
        type: 'svc:MssqlSource',
        properties: { name: 'shop', connectionStringFromEnv: 'SHOP_MSSQL' },
        options: { import: 'shop' },
      },
      album: {
        type: 'svc:Table',
        properties: { source: outputOf('shop.name'), table: { name: 'album' } },
        options: { import: 'shop/dbo/album' },
      },
    }),
  )
  assert.deepEqual([...(await project.planned())].sort(), ['album import', 'shop import'])
  await project.up()
  assert.equal(await project.isChanged('--refresh'), false)
})
