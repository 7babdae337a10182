import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutTerraform } from '../terraform/terraform.ts'
import { startStore, storeMetadata } from './live-store.ts'
import { ODD_SECRET, startOddEngine } from './odd-metadata.ts'
import { adoptByTerraform, assertTakenByTerraform } from './take-over.ts'
import { startWide } from './wide-schema.ts'

const withTerraform = { skip: withoutTerraform }

test(
  'Terraform takes the music store over by what svc adopt writes, its resources name each other by outputs',
  withTerraform,
  async (t) => {
    const engine = await startStore(t, await storeMetadata())
    const folder = await adoptByTerraform(t, engine)
    await assertTakenByTerraform(folder, engine, 72)
    const permissions = await readFile(join(folder.path, 'select_permission.tf'), 'utf8')
    const [permission] = permissions.split('\n\n').filter((text) => text.includes('"invoice_line_customer"'))
    assert.equal(
      permission,
      `resource "svc_select_permission" "invoice_line_customer" {
  source     = svc_source.default.name
  table      = svc_table.invoice_line.table
  role       = "customer"
  columns    = ["id", "invoice_id", "quantity", "track_id", "unit_price"]
  filter     = jsonencode({ invoice = { customer_id = { _eq = "X-Svc-Customer-Id" } } })
  depends_on = [svc_object_relationship.invoice_line_invoice]
}`,
    )
    const relationships = await readFile(join(folder.path, 'array_relationship.tf'), 'utf8')
    assert.match(
      relationships,
      /remote_foreign_key = \{ table = svc_table\.album\.table, columns = \["artist_id"\] \}\n/,
    )
  },
)

test(
  'names that no language lets stand, equal names, templates and secrets are taken over too',
  withTerraform,
  async (t) => {
    const { engine, resources } = await startOddEngine(t)
    const folder = await adoptByTerraform(t, engine)
    const variables = await readFile(join(folder.path, 'variables.tf'), 'utf8')
    assert.deepEqual(
      [...variables.matchAll(/^variable "(.*)"/gm)].map(([, name]) => name),
      ['archive_database_url', 'parts_connection_parameters_password'],
    )
    for (const file of await readdir(folder.path))
      if (file.endsWith('.tf')) assert.ok(!(await readFile(join(folder.path, file), 'utf8')).includes(ODD_SECRET), file)
    folder.environment.TF_VAR_archive_database_url = resources.archiveUrl
    folder.environment.TF_VAR_parts_connection_parameters_password = ODD_SECRET
    await assertTakenByTerraform(folder, engine, resources.count)
  },
)

test('20 tables with relationships and permissions are taken over', withTerraform, async (t) => {
  const { engine, resources } = await startWide(t, 20)
  await assertTakenByTerraform(await adoptByTerraform(t, engine), engine, resources)
})
