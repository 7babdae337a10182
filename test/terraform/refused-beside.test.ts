/**
 * Wrong resources next to right ones: only the wrong ones have errors, at their attributes, and the right ones are
 * made.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, events, requiredProvider, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform
const right = Array.from({ length: 25 }, (_, i) => i)

const stack = (checks: string) => `${requiredProvider}
provider "svc" {
  preview_checks = "${checks}"
}
${right
  .map(
    (i) => `
resource "svc_table" "t${i}" {
  table = { name = "t${i}" }
}
resource "svc_select_permission" "t${i}" {
  table   = svc_table.t${i}.table
  role    = "user"
  columns = ["id"]
  filter  = jsonencode({})
}
`,
  )
  .join('')}
resource "svc_table" "nowhere" {
  table = { name = "nowhere" }
}
resource "svc_select_permission" "wrong" {
  table   = svc_table.t1.table
  role    = "other"
  columns = ["id", "nmae"]
  filter  = jsonencode({})
}
`

const errorsOf = (stdout: string) =>
  events(stdout).flatMap(({ diagnostic }) =>
    diagnostic?.severity === 'error' ? [[diagnostic.address, diagnostic.snippet?.code.trim()]] : [],
  )

test('two wrong resources next to 50 right ones are two errors at their attributes, and 50 are made', {
  skip,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, right.map((i) => `CREATE TABLE t${i} (id int PRIMARY KEY);`).join('\n'))
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const folder = await createTerraformFolder(engine, t)
  const wrong = [
    ['svc_select_permission.wrong', 'columns = ["id", "nmae"]'],
    ['svc_table.nowhere', 'table = { name = "nowhere" }'],
  ]

  await folder.write('main.tf', stack('error'))
  const planned = await folder.run('plan', '-json')
  assert.equal(planned.code, 1)
  assert.deepEqual(errorsOf(planned.stdout).sort(), wrong)

  // what only an apply finds stops no other resource
  await folder.write('main.tf', stack('off'))
  const applied = await folder.run('apply', '-json', '-auto-approve')
  assert.equal(applied.code, 1)
  assert.deepEqual(errorsOf(applied.stdout).sort(), wrong)
  const { body } = await engine.metadata('export_metadata', {})
  const tables: { select_permissions?: unknown[] }[] = body.sources[0].tables
  assert.deepEqual([tables.length, tables.flatMap((one) => one.select_permissions ?? []).length], [25, 25])
})
