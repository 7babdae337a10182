/** A stack of any number of resources: tables in a row, each with a relationship to the one before and a permission through it. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { events, type TerraformFolder, VERSION } from './terraform.ts'

/**
 * How resources name what they need: all by outputs and depends_on, or every other one by plain texts, which show
 * Terraform no order.
 */
export type References = 'outputs' | 'half'

export interface Stack {
  readonly resources: number
  readonly references: References
  /** The table whose permission names a column that is not there. */
  readonly wrong?: number
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** An engine over a database with the tables of a stack, tracking none. */
export async function startRow(resources: number, t: WithAfter): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const tables = Array.from(
    { length: tableCount(resources) },
    (_, i) =>
      `CREATE TABLE t${i} (id integer PRIMARY KEY, owner text, before_id integer${i === 0 ? '' : ` REFERENCES t${i - 1}`})`,
  )
  await client.query(tables.join(';')).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

/** Of three resources one is a table. */
const tableCount = (resources: number) => Math.ceil((resources + 1) / 3)

export async function declareStack(folder: TerraformFolder, stack: Stack): Promise<void> {
  await folder.write('main.tf.json', JSON.stringify(configurationOf(stack), null, 1))
}

function configurationOf({ resources, references, wrong }: Stack): object {
  const count = tableCount(resources)
  const byOutput = (i: number) => references === 'outputs' || i % 2 === 0
  const tableOf = (i: number) => (byOutput(i) ? `\${svc_table.t${i}.table}` : { schema: 'public', name: `t${i}` })
  const indices = Array.from({ length: count }, (_, i) => i)
  const after = (i: number, ...addresses: readonly string[]) => (byOutput(i) ? { depends_on: addresses } : {})
  return {
    terraform: { required_providers: { svc: { source: 'svc/svc', version: VERSION } } },
    resource: {
      svc_table: Object.fromEntries(indices.map((i) => [`t${i}`, { table: { name: `t${i}` } }])),
      svc_object_relationship: Object.fromEntries(
        indices.slice(1).map((i) => [
          `r${i}`,
          {
            table: tableOf(i),
            name: 'before',
            foreign_key_columns: ['before_id'],
            ...after(i, `svc_table.t${i - 1}`),
          },
        ]),
      ),
      svc_select_permission: Object.fromEntries(
        indices.slice(0, resources - 2 * count + 1).map((i) => [
          `p${i}`,
          {
            table: tableOf(i),
            role: 'user',
            columns: ['id', i === wrong ? 'ownr' : 'owner'],
            filter: JSON.stringify({ [i === 0 ? 'owner' : 'before']: i === 0 ? mine : { owner: mine } }),
            ...(i === 0 ? {} : after(i, `svc_object_relationship.r${i}`)),
          },
        ]),
      ),
    },
  }
}

const mine = { _eq: 'X-Svc-User-Id' }

export interface Complaint {
  readonly severity: string
  readonly address: string
  readonly summary: string
}

/** What a plan says besides its changes, and how many these are. */
export async function planStack(
  folder: TerraformFolder,
  parallelism: number,
): Promise<{ readonly changes: number; readonly complaints: readonly Complaint[] }> {
  const { stdout } = await folder.run('plan', '-json', `-parallelism=${parallelism}`)
  const said = events(stdout)
  return {
    changes: said.filter(({ type }) => type === 'planned_change').length,
    complaints: said.flatMap(({ diagnostic }) =>
      diagnostic
        ? [{ severity: diagnostic.severity, address: diagnostic.address ?? '', summary: diagnostic.summary }]
        : [],
    ),
  }
}

/** Applies until nothing is left to do, and reports after how many applies; gives up after `most`. */
export async function applyUntilDone(folder: TerraformFolder, parallelism: number, most: number): Promise<number> {
  for (let applies = 1; applies <= most; applies++) {
    const { code, stderr } = await folder.run('apply', '-no-color', '-auto-approve', `-parallelism=${parallelism}`)
    if (code === 0) return applies
    if (applies === most) throw new Error(`not done after ${most} applies:\n${stderr}`)
  }
  return most
}

/** Destroys until nothing is left, and reports after how many runs; gives up after `most`. */
export async function destroyUntilDone(folder: TerraformFolder, parallelism: number, most: number): Promise<number> {
  for (let destroys = 1; ; destroys++) {
    const { code, stderr } = await folder.run('destroy', '-no-color', '-auto-approve', `-parallelism=${parallelism}`)
    if (code === 0) return destroys
    if (destroys === most) throw new Error(`not gone after ${most} runs:\n${stderr}`)
  }
}

/** All objects are there, and none was made twice: each has one entry in the log of changes. */
export async function assertMadeOnce(engine: Engine, resources: number): Promise<void> {
  const { body } = await engine.metadata('get_metadata_changes', { since_resource_version: 1, limit: 10_000 })
  assert.equal(body.complete, true, JSON.stringify(body).slice(0, 500))
  const made = (body.changes as readonly { change: string; object: { type: string; name: string } }[]).filter(
    ({ object }) => object.type !== 'source',
  )
  assert.deepEqual(
    made.filter(({ change }) => change !== 'create'),
    [],
  )
  assert.equal(new Set(made.map(({ object }) => object.name)).size, resources)
  assert.equal(made.length, resources)
}
