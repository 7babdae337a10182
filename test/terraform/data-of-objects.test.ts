/** Data sources of single objects, by the real Terraform. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform

test('what another stack declares is read, secrets hidden, what is not there named with what is', {
  skip,
}, async (t) => {
  const { engine, databaseUrl, ids } = await startLedger(t)
  const permission = { columns: ['id'], filter: { id: { _eq: JSON.rawJSON(LONG) } } }
  await engine.metadata('pg_track_table', { table: 'account' })
  await engine.metadata('pg_create_select_permission', { table: 'account', role: 'theirs', permission })
  const secret = `${databaseUrl}?application_name=canary`
  const configuration = { connection_info: { database_url: secret } }
  assert.equal((await engine.metadata('pg_add_source', { name: 'other', configuration })).status, 200)
  const folder = await createTerraformFolder(engine, t)
  await folder.write(
    'main.tf',
    `${requiredProvider}
data "svc_select_permission" "theirs" {
  table = { name = "account" }
  role  = "theirs"
}
data "svc_source" "other" {
  name = "other"
}
data "svc_api_limits" "now" {}
data "svc_objects" "permissions" {
  kind = "select_permission"
}
data "svc_objects" "sources" {
  kind = "source"
}
output "listed" {
  value = [for one in data.svc_objects.permissions.objects : "\${one.id} \${jsondecode(one.attributes).role}" if endswith(one.id, "/theirs")]
}
output "elsewhere" {
  value = [for name in ["default", "other"] : length([for one in data.svc_objects.sources.objects : one if one.id == name])]
}
resource "svc_select_permission" "ours" {
  table   = data.svc_select_permission.theirs.table
  role    = "ours"
  columns = data.svc_select_permission.theirs.columns
  filter  = data.svc_select_permission.theirs.filter
}
output "source" {
  value     = data.svc_source.other.database_url
  sensitive = true
}
`,
  )
  await folder.apply()
  assert.deepEqual(await ids('ours'), [LONG])
  assert.match(await folder.succeed('output', '-json', 'listed'), /^\["default\/public\/account\/theirs theirs"\]/)
  assert.match(await folder.succeed('output', '-json', 'elsewhere'), /^\[1,1\]/)
  assert.equal(await folder.isChanged(), false)
  assert.equal(JSON.stringify(await folder.state()).includes(secret), false)
  assert.match(await folder.succeed('output', '-raw', 'source'), /^\*\*\*/)
  await folder.write(
    'main.tf',
    `${requiredProvider}
data "svc_select_permission" "theirs" {
  table = { name = "acount" }
  role  = "theirs"
}
data "svc_source" "other" {
  name         = "other"
  show_secrets = true
}
output "source" {
  value     = data.svc_source.other.database_url
  sensitive = true
}
`,
  )
  const { stdout, stderr } = await folder.run('plan', '-no-color')
  assert.match(
    `${stdout}${stderr}`.replaceAll(/\s+/g, ' '),
    /the engine has no svc_select_permission default\/public\/acount\/theirs .* Did you mean default\/public\/account\/(theirs|ours)\? It has default\/public\/account\/ours, default\/public\/account\/theirs\./,
  )
})
