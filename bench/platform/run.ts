/**
 * `npm run bench -- platform [TABLES] [local|remote]`: the real Terraform with 500 tables, each with a relationship to
 * the one before and a select permission of each of five roles, compared with as many of the built-in `terraform_data`,
 * which cost what the tool itself costs. The goals: an empty plan at most 15 s, 60 updates 5 s and a destroy 60 s more
 * than those, at most 250 MB in the provider.
 *
 * Terraform writes a local state as a whole around every resource, so an apply costs resources times bytes: `large` is
 * as many `terraform_data` in a state of as many bytes as ours. A remote state (here over HTTP) is sent every 20
 * seconds.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { createTerraformFolder, type TerraformFolder, VERSION } from '../../test/terraform/terraform.ts'
import { type Timed, timed } from '../provider/timed.ts'
import { type Backend, startStateServer } from './state-server.ts'

const count = Number(process.argv[2] ?? 500)
const isRemote = process.argv[3] === 'remote'
const roles = ['reader', 'writer', 'editor', 'auditor', 'owner']
const updates = 60
const indices = Array.from({ length: count }, (_, i) => i)

type CleanUp = () => Promise<void> | void
const cleanUps: CleanUp[] = []
const t = { after: (cleanUp: CleanUp) => cleanUps.push(cleanUp) }

const permissions = indices.flatMap((i) => roles.map((role) => ({ i, role, label: `p${i}_${role}` })))
const resources = 2 * count - 1 + permissions.length

/** The stack, in which the first permissions show these columns. */
const platform = (columns: readonly string[], backend: Backend) =>
  JSON.stringify({
    terraform: { ...backend, required_providers: { svc: { source: 'svc/svc', version: VERSION } } },
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

const builtIn = (input: string, backend: Backend) =>
  JSON.stringify({
    terraform: backend,
    resource: {
      terraform_data: Object.fromEntries(
        Array.from({ length: resources }, (_, i) => [
          `d${i}`,
          { input: i < updates ? input : input.replace('second', 'first') },
        ]),
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
  const backendOf = isRemote ? await startStateServer(t) : () => ({})
  const ours = await createTerraformFolder(engine, t)
  const theirs = await createTerraformFolder(engine, t)
  const large = isRemote ? null : await createTerraformFolder(engine, t)
  const measure = async (step: string, ...args: readonly string[]) => {
    const tool = await timed(theirs, ...args)
    const { seconds, usages } = await timed(ours, ...args)
    const beside = large && (await timed(large, ...args)).seconds
    console.log(step, {
      seconds: round(seconds),
      tool: round(tool.seconds),
      more: round(seconds - tool.seconds),
      ...(beside !== null && { large: round(beside), moreThanLarge: round(seconds - beside) }),
      cpu: round(cpuOf(usages)),
      megabytes: round(Math.max(...usages.map(({ megabytes }) => megabytes))),
    })
  }
  console.log(
    `${resources} resources, the state ${isRemote ? 'remote' : 'local'}; seconds, those of as many terraform_data, the provider's CPU seconds and most memory`,
  )
  const change = ['-no-color', '-auto-approve']
  await ours.write('main.tf.json', platform(['id', 'owner'], backendOf('ours')))
  await theirs.write('main.tf.json', builtIn('first', backendOf('theirs')))
  for (const folder of [ours, theirs]) await folder.run('version')
  const padding = large ? await fill(large, await applied(ours, theirs, change)) : ''
  if (!large) await measure('apply', 'apply', ...change)
  await measure('empty plan', 'plan', '-no-color', '-detailed-exitcode')
  await ours.write('main.tf.json', platform(['id'], backendOf('ours')))
  await theirs.write('main.tf.json', builtIn('second', backendOf('theirs')))
  await large?.write('main.tf.json', builtIn(`second${padding}`, {}))
  await measure(`${updates} updates`, 'apply', ...change)
  await measure('destroy', 'destroy', ...change)
}

/** Applies both, and returns how many bytes more the state of the first has for each resource. */
async function applied(ours: TerraformFolder, theirs: TerraformFolder, change: readonly string[]): Promise<number> {
  const tool = await timed(theirs, 'apply', ...change)
  const { seconds, usages } = await timed(ours, 'apply', ...change)
  console.log('apply', { seconds: round(seconds), tool: round(tool.seconds), cpu: round(cpuOf(usages)) })
  const [larger = 0, smaller = 0] = [ours, theirs].map(({ path }) => statSync(join(path, 'terraform.tfstate')).size)
  console.log('bytes of state', { larger, smaller })
  return (larger - smaller) / resources
}

/** Makes the stack with inputs so much longer that its state has so many bytes more; returns what they got. */
async function fill(folder: TerraformFolder, bytes: number): Promise<string> {
  const padding = 'x'.repeat(Math.round(bytes / 2)) // in the state as input and as output
  await folder.write('main.tf.json', builtIn(`first${padding}`, {}))
  await folder.apply()
  return padding
}

const cpuOf = (usages: Timed['usages']) => usages.reduce((sum, { cpu }) => sum + cpu, 0) / 1000
const round = (number: number) => Math.round(number * 100) / 100

try {
  await main()
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}
