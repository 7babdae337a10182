/** `svc drift --state` against what Terraform has written down. */
import assert from 'node:assert/strict'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from '../terraform/terraform.ts'
import { createMusicTables } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

const configuration = `${requiredProvider}
resource "svc_table" "store" {
  for_each = toset(["artist", "album"])
  table    = { name = each.key }
}

resource "svc_select_permission" "artist" {
  table   = svc_table.store["artist"].table
  role    = "user"
  columns = ["name", "id"]
  filter  = jsonencode({ owner = { _eq = "X-Svc-User-Id" } })
}
`

test('a state of Terraform is compared: nothing, then what two callers did, by resource and caller', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const terraform = await createTerraformFolder(engine, t)
  await terraform.write('main.tf', configuration)
  await terraform.apply()
  const folder = await createSvcFolder(engine, t)
  await copyFile(join(terraform.path, 'terraform.tfstate'), join(folder.path, 'terraform.tfstate'))
  const check = (...more: readonly string[]) => folder.svc('drift', '--state', 'terraform.tfstate', ...more)
  assert.deepEqual(await check(), { code: 0, stdout: 'no drift\n', stderr: '' })

  const behindTheBack = async (actor: string, type: string, args: object) => {
    const answer = await engine.post('/v1/metadata', { type, args }, { 'x-svc-actor': actor })
    assert.equal(answer.status, 200, answer.text)
  }
  await behindTheBack('mia@laptop', 'pg_untrack_table', { table: 'album' })
  await behindTheBack('nightly script', 'bulk_atomic', [
    { type: 'pg_drop_select_permission', args: { table: 'artist', role: 'user' } },
    {
      type: 'pg_create_select_permission',
      args: { table: 'artist', role: 'user', permission: { columns: ['id'], filter: {} } },
    },
  ])
  const { code, stdout } = await check()
  assert.equal(code, 2)
  assert.equal(
    stdout.replaceAll(/at \d{4}-\S+Z \(version \d+\)/g, 'then'),
    `2 objects drifted
  ~ select_permission user in table artist in source default
      columns: ["id","name"] -> ["id"]
      filter.owner: {"_eq":"X-Svc-User-Id"} -> (none)
      declared as svc_select_permission.artist
      pg_create_select_permission by nightly script then
  - table album in source default
      declared as svc_table.store["album"]
      pg_untrack_table by mia@laptop then
`,
  )
  const report = JSON.parse((await check('--json')).stdout)
  assert.deepEqual(
    report.objects.map((one: { change: string; resource: string }) => [one.change, one.resource]),
    [
      ['update', 'svc_select_permission.artist'],
      ['delete', 'svc_table.store["album"]'],
    ],
  )
  const before = await readFile(join(folder.path, 'terraform.tfstate'), 'utf8')
  const accepted = await check('--accept')
  assert.equal(accepted.code, 1)
  assert.match(accepted.stderr, /^error: terraform\.tfstate is a state of Terraform, which alone writes it/)
  assert.equal(await readFile(join(folder.path, 'terraform.tfstate'), 'utf8'), before)
})
