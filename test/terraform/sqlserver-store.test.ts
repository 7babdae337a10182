/** The life of examples/sqlserver-store, on a double of SQL Server. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMetadataFrom } from '../../provider/src/index.ts'
import { diffDocuments, keyedObject, nameText, readMetadata, writeMetadata } from '../../schema/src/index.ts'
import { adoptByTerraform, assertTakenByTerraform } from '../adopt/take-over.ts'
import { startEngine } from '../engine.ts'
import { startSqlServerDouble } from '../sql-server/sql-server-double.ts'
import { createTerraformFolder, withoutTerraform } from './terraform.ts'

const example = fileURLToPath(new URL('../../examples/sqlserver-store', import.meta.url))
const PASSWORD = 'canary;{of}a-password'

test('it is made as the directory says, corrected and destroyed, and nothing prints the password', {
  skip: withoutTerraform,
}, async (t) => {
  const server = await startSqlServerDouble(t, { isStrict: false, password: PASSWORD })
  const schema = await readFile(join(example, 'schema.sql'), 'utf8')
  for (const batch of schema.split(/^GO$/m)) if (batch.trim() !== '') await server.run(batch)
  const env = { SHOP_MSSQL: server.connectionString, ORDERS_WEBHOOK: 'http://127.0.0.1:1/orders' }
  const engine = await startEngine({ env }, t)
  await engine.metadata('replace_metadata', { version: 3, sources: [] })
  const folder = await createTerraformFolder(engine, t)
  await folder.copy(join(example, 'terraform'))

  const printed = await folder.apply()
  assert.match(printed, /Apply complete! Resources: 27 added, 0 changed, 0 destroyed/)
  const [live, wanted] = [
    readMetadata((await engine.metadata('export_metadata', {})).body),
    readMetadata(writeMetadata((await readMetadataFrom(join(example, 'metadata'))).document)),
  ]
  assert.ok(live.ok && wanted.ok)
  const [a, b] = [live.document, wanted.document]
  const differing = diffDocuments(a, b).map(
    ({ change, address, new: now }) => `${change} ${nameText(keyedObject(now ? b : a, address))}`,
  )
  // sets of columns have no order
  assert.deepEqual(
    differing.filter((one) => !/^update (select|insert|update)_permission/.test(one)),
    [],
  )
  assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
  assert.equal(await folder.isChanged(), false)

  await engine.metadata('mssql_drop_relationship', { source: 'shop', table: 'customer', relationship: 'orders' })
  assert.deepEqual(await folder.planned(), ['svc_array_relationship.customer_orders create'])
  const healed = await folder.apply()
  const state = await readFile(join(folder.path, 'terraform.tfstate'), 'utf8')
  for (const text of [printed, healed, state, engine.log.join('\n')]) assert.doesNotMatch(text, /canary/)

  // and taken over by a stack of its own, which finds nothing to do
  const adopted = await adoptByTerraform(t, engine)
  await assertTakenByTerraform(adopted, engine, 27)

  assert.match(await folder.succeed('destroy', '-auto-approve'), /Resources: 27 destroyed/)
  assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources, [])
})
