/** Roles that get another name: no plan gives a role what no one declares for it, however many change at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, events, requiredProvider, withoutTerraform } from './terraform.ts'

const tables = [0, 1, 2, 3, 4]

/** Each table has a select permission, and a function that returns its rows and may be called by a role. */
const stack = (reads: string, calls: string) =>
  requiredProvider +
  tables
    .map(
      (i) => `
resource "svc_table" "t${i}" {
  table = { name = "t${i}" }
}
resource "svc_select_permission" "t${i}" {
  table   = svc_table.t${i}.table
  role    = "${reads}${i}"
  columns = ["id"]
  filter  = jsonencode({})
}
resource "svc_function" "f${i}" {
  function      = { name = "f${i}" }
  exposed_as    = "mutation"
  depends_on    = [svc_table.t${i}]
}
resource "svc_function_permission" "f${i}" {
  function   = svc_function.f${i}.function
  role       = "${calls}${i}"
  depends_on = [svc_select_permission.t${i}]
}
`,
    )
    .join('')

test('five renamed roles take no function permission along, and all of both renamed together are a plan', {
  skip: withoutTerraform,
}, async (t) => {
  const database = await createTestDatabase(t)
  const sql = tables.map(
    (i) => `CREATE TABLE t${i} (id int PRIMARY KEY);
      CREATE FUNCTION f${i}() RETURNS SETOF t${i} LANGUAGE sql VOLATILE AS 'SELECT * FROM t${i}';`,
  )
  await runOnDatabase(database.url, sql.join('\n'))
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const exported = async () => (await engine.metadata('export_metadata', {})).body
  const roles = async () => {
    const { functions } = (await exported()).sources[0] as { functions: { permissions?: { role: string }[] }[] }
    return functions.flatMap(({ permissions = [] }) => permissions.map(({ role }) => role)).sort()
  }
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', stack('reader', 'reader'))
  await folder.apply()
  const before = await exported()

  await folder.write('main.tf', stack('viewer', 'reader'))
  const refused = await folder.run('plan', '-json')
  assert.equal(refused.code, 1, refused.stdout)
  const errors = events(refused.stdout).flatMap(({ diagnostic }) =>
    diagnostic?.severity === 'error' ? [diagnostic] : [],
  )
  assert.deepEqual(
    errors.map(({ address }) => address).sort(),
    tables.map((i) => `svc_function_permission.f${i}`),
  )
  for (const { address, summary, snippet } of errors) {
    const i = address?.at(-1)
    assert.equal(snippet?.code.trim(), `role       = "reader${i}"`)
    assert.match(
      summary,
      new RegExp(`reader${i}.* becomes .*viewer${i}.*, which .*function_permission.*f${i}.* does not follow`),
    )
  }
  // what no plan checks no apply may do either
  folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'off'
  const applied = await folder.run('apply', '-no-color', '-auto-approve')
  assert.deepEqual(
    (await roles()).filter((role) => role.startsWith('viewer')),
    [],
    applied.stderr,
  )
  delete folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS
  await folder.write('main.tf', stack('reader', 'reader'))
  await folder.apply()
  assert.deepEqual(await exported(), before)

  await folder.write('main.tf', stack('viewer', 'viewer'))
  await folder.apply()
  assert.deepEqual(
    await roles(),
    tables.map((i) => `viewer${i}`),
  )
  assert.equal(await folder.isChanged(), false)
})
