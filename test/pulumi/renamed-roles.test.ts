/** Roles that get another name, by the real Pulumi: no preview gives a role what no one declares for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { complaints, program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const tables = [0, 1, 2]

const output = (path: string) => `$\{${path}}`
const after = (name: string) => ({ options: { dependsOn: [output(name)] } })

/** Each table has a select permission, and a function that returns its rows and may be called by a role. */
const stack = (reads: string, calls: string) =>
  program(
    Object.fromEntries(
      tables.flatMap((i) => [
        [`t${i}`, { type: 'svc:Table', properties: { table: { name: `t${i}` } } }],
        [
          `p${i}`,
          {
            type: 'svc:SelectPermission',
            properties: { table: output(`t${i}.table`), role: `${reads}${i}`, columns: ['id'], filter: {} },
          },
        ],
        [
          `f${i}`,
          {
            type: 'svc:Function',
            properties: { function: { name: `f${i}` }, exposedAs: 'mutation' },
            ...after(`t${i}`),
          },
        ],
        [
          `c${i}`,
          {
            type: 'svc:FunctionPermission',
            properties: { function: output(`f${i}.function`), role: `${calls}${i}` },
            ...after(`p${i}`),
          },
        ],
      ]),
    ),
  )

test('renamed roles take no function permission along, and all of both renamed together are an update', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase(t)
  const sql = tables.map(
    (i) => `CREATE TABLE t${i} (id int PRIMARY KEY);
      CREATE FUNCTION f${i}() RETURNS SETOF t${i} LANGUAGE sql VOLATILE AS 'SELECT * FROM t${i}';`,
  )
  await runOnDatabase(database.url, sql.join('\n'))
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const roles = async () => {
    const { functions } = (await engine.metadata('export_metadata', {})).body.sources[0] as {
      functions: { permissions?: { role: string }[] }[]
    }
    return functions.flatMap(({ permissions = [] }) => permissions.map(({ role }) => role)).sort()
  }
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', stack('reader', 'reader'))
  await project.up()
  const before = (await engine.metadata('export_metadata', {})).body

  project.write('Pulumi.yaml', stack('viewer', 'reader'))
  const { said } = await project.preview('--parallel=30')
  const errors = complaints(said).filter(([severity]) => severity === 'error')
  // Pulumi ends a preview with the first error that it gets
  assert.ok(errors.length > 0, JSON.stringify(said))
  for (const [, name, text] of errors) {
    const i = name.at(-1)
    assert.ok(
      tables.some((table) => name === `c${table}`),
      name,
    )
    assert.match(
      text,
      new RegExp(
        `reader${i}[^]* becomes [^]*viewer${i}[^]*, which [^]*FunctionPermission[^]*f${i}[^]* does not follow`,
      ),
    )
  }
  assert.deepEqual((await engine.metadata('export_metadata', {})).body, before)

  project.write('Pulumi.yaml', stack('viewer', 'viewer'))
  const renamed = await project.preview('--parallel=30')
  assert.deepEqual(
    complaints(renamed.said).filter(([severity]) => severity === 'error'),
    [],
  )
  await project.up()
  assert.deepEqual(
    await roles(),
    tables.map((i) => `viewer${i}`),
  )
  assert.equal(await project.isChanged('--refresh'), false)
})
