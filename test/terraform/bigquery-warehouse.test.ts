/** The life of examples/bigquery-warehouse, on a double of BigQuery's API. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMetadataFrom } from '../../provider/src/index.ts'
import { diffDocuments, keyedObject, nameText, readMetadata, writeMetadata } from '../../schema/src/index.ts'
import { startWarehouse } from '../bigquery/warehouse.ts'
import { startEngine } from '../engine.ts'
import { createTerraformFolder, withoutTerraform } from './terraform.ts'

const example = fileURLToPath(new URL('../../examples/bigquery-warehouse', import.meta.url))

const change = async (path: string, by: (text: string) => string) => writeFile(path, by(await readFile(path, 'utf8')))

test('it is made as the directory says, changed, corrected and destroyed, and no state holds the key', {
  skip: withoutTerraform,
}, async (t) => {
  const { double, env } = await startWarehouse(t)
  const engine = await startEngine({ env }, t)
  await engine.metadata('replace_metadata', { version: 3, sources: [] })
  const folder = await createTerraformFolder(engine, t)
  await folder.copy(join(example, 'terraform'))

  const differences = async () => {
    const [live, wanted] = [
      readMetadata((await engine.metadata('export_metadata', {})).body),
      readMetadata(writeMetadata((await readMetadataFrom(join(example, 'metadata'))).document)),
    ]
    assert.ok(live.ok && wanted.ok)
    const [a, b] = [live.document, wanted.document]
    return diffDocuments(a, b).map(
      ({ change, address, new: now }) => `${change} ${nameText(keyedObject(now ? b : a, address))}`,
    )
  }

  assert.match(await folder.apply(), /Apply complete! Resources: 15 added, 0 changed, 0 destroyed/)
  // sets of columns have no order
  assert.deepEqual(
    (await differences()).filter((one) => !one.startsWith('update select_permission')),
    [],
  )
  assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
  assert.equal(await folder.isChanged(), false)

  await engine.metadata('bigquery_drop_select_permission', {
    source: 'warehouse',
    table: { dataset: 'sales', name: 'product' },
    role: 'analyst',
  })
  assert.deepEqual(await folder.planned(), ['svc_select_permission.product_analyst create'])
  await change(join(folder.path, 'main.tf'), (main) =>
    main
      .replace(
        'service_account_from_env = "WAREHOUSE_KEY"',
        'service_account_wo = var.key\n  service_account_wo_version = 1',
      )
      .replace('global_select_limit      = 500', 'global_select_limit = 400')
      .concat('variable "key" {\n  sensitive = true\n  ephemeral = true\n}\n'),
  )
  folder.environment.TF_VAR_key = JSON.stringify(double.account.json)
  assert.deepEqual(await folder.planned(), [
    'svc_bigquery_source.warehouse update',
    'svc_select_permission.product_analyst create',
  ])
  const printed = await folder.apply()
  assert.equal(await folder.isChanged(), false)
  const state = await readFile(join(folder.path, 'terraform.tfstate'), 'utf8')
  const secret = double.account.json.private_key.split('\n')[1] ?? ''
  for (const text of [printed, state, engine.log.join('\n')]) assert.equal(text.includes(secret), false)

  assert.match(await folder.succeed('destroy', '-auto-approve'), /Resources: 15 destroyed/)
  const { body } = await engine.metadata('export_metadata', {})
  assert.deepEqual(body.sources, [])
})
