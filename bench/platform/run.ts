/**
 * `npm run bench -- platform [TABLES]`: the real Terraform with 500 tables, each with a relationship to the one before and
 * a select permission of each of five roles, beside as many of the built-in `terraform_data`, which cost what the
 * tool itself costs. The goals: an empty plan at most 15 s, 60 updates 5 s and a destroy 60 s more than those, at most 250 MB in the provider.
 */
import pg from 'pg'
import { startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { createTerraformFolder, VERSION } from '../../test/terraform/terraform.ts'
import { type Timed, timed } from '../provider/timed.ts'

const count = Number(process.argv[2] ?? 500)
const roles = ['reader', 'writer', 'editor', 'auditor', 'owner']
const updates = 60
const indices = Array.from({ length: count }, (_, i) => i)

type CleanUp = () => Promise<void> | void
const cleanUps: CleanUp[] = []
const t = { after: (cleanUp: CleanUp) => cleanUps.push(cleanUp) }

const permissions = indices.flatMap((i) => roles.map((role) => ({ i, role, label: `p${i}_${role}` })))
const resources = 2 * count - 1 + permissions.length

/** The stack, in which the first permissions show the given columns. */
const platform = (columns: readonly string[]) =>
  JSON.stringify({
    terraform: { required_providers: { svc: { source: 'svc/svc', version: VERSION } } },
    resource: {
      svc_table: Object.fromEntries(indices.map((i) => [`t${i}`, { table: { name: `t${i}` } }])),
      svc_object_relationship: Object.fromEntries(
        indices.slice(1).map((i) => [
          `r${i}`,
          {
            table: `\${svc_table.t${i}.table}`,
            name: 'before',
            foreign_key_columns: ['before_id'],
            depends_on: [`svc_table.t${i - 1}`],
          },
        ]),
      ),
      svc_select_permission: Object.fromEntries(
        permissions.map(({ i, role, label }, place) => [
          label,
          {
            table: `\${svc_table.t${i}.table}`,
            role,
            columns: place < updates ? columns : ['id', 'owner'],
            filter: JSON.stringify({ owner: { _eq: 'X-Svc-User-Id' } }),
          },
        ]),
      ),
    },
  })

const builtIn = (input: string) =>
  JSON.stringify({
    resource: {
      terraform_data: Object.fromEntries(
        Array.from({ length: resources }, (_, i) => [`d${i}`, { input: i < updates ? input : 'first' }]),
      ),
    },
  })

async function startTables() {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const tables = indices.map(
    (i) =>
      `CREATE TABLE t${i} (id integer PRIMARY KEY, owner text, before_id integer${i === 0 ? '' : ` REFERENCES t${i - 1}`})`,
  )
  await client.query(tables.join(';')).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

async function main(): Promise<void> {
  const engine = await startTables()
  const ours = await createTerraformFolder(engine, t)
  const theirs = await createTerraformFolder(engine, t)
  const measure = async (step: string, ...args: readonly string[]) => {
    const tool = await timed(theirs, ...args)
    const { seconds, usages } = await timed(ours, ...args)
    console.log(step, {
      seconds: round(seconds),
      tool: round(tool.seconds),
      more: round(seconds - tool.seconds),
      cpu: round(cpuOf(usages)),
      megabytes: round(Math.max(...usages.map(({ megabytes }) => megabytes))),
    })
  }
  console.log(
    `${resources} resources; seconds, those of as many terraform_data, the provider's CPU seconds and most memory`,
  )
  const change = ['-no-color', '-auto-approve']
  await ours.write('main.tf.json', platform(['id', 'owner']))
  await theirs.write('main.tf.json', builtIn('first'))
  for (const folder of [ours, theirs]) await folder.run('version')
  await measure('apply', 'apply', ...change)
  await measure('empty plan', 'plan', '-no-color', '-detailed-exitcode')
  await ours.write('main.tf.json', platform(['id']))
  await theirs.write('main.tf.json', builtIn('second'))
  await measure(`${updates} updates`, 'apply', ...change)
  await measure('destroy', 'destroy', ...change)
}

const cpuOf = (usages: Timed['usages']) => usages.reduce((sum, { cpu }) => sum + cpu, 0) / 1000
const round = (number: number) => Math.round(number * 100) / 100

try {
  await main()
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}
