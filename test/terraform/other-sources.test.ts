/**
 * The examples on SQL Server and BigQuery, without a server of either: the engine keeps such sources and calls them
 * inconsistent. Stack and directory say the same, and secrets of their connections stand in no state.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMetadataFrom } from '../../provider/src/index.ts'
import { writeMetadata } from '../../schema/src/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTerraformFolder, requiredProvider, type TerraformFolder, withoutTerraform } from './terraform.ts'

const examples = fileURLToPath(new URL('../../examples', import.meta.url))

async function metadataOf(example: string) {
  const { document } = await readMetadataFrom(join(examples, example, 'metadata'))
  return writeMetadata(document)
}

async function engineWith(metadata: unknown, t: TestContext): Promise<Engine> {
  const engine = await startEngine({}, t)
  const { status, text } = await engine.metadata(
    'replace_metadata',
    { metadata, allow_inconsistent_metadata: true },
    { version: 2 },
  )
  assert.equal(status, 200, text)
  return engine
}

/** What a plan would make, by address: the ids by which the same is imported. */
async function plannedIds(folder: TerraformFolder): Promise<readonly (readonly [address: string, id: string])[]> {
  await folder.succeed('plan', '-out=made.plan')
  const { resource_changes } = JSON.parse(await folder.succeed('show', '-json', 'made.plan')) as {
    readonly resource_changes: readonly {
      readonly address: string
      readonly change: { readonly after: { id: string } }
    }[]
  }
  return resource_changes.map(({ address, change }) => [address, change.after.id])
}

for (const [example, count] of [
  ['sqlserver-store', 27],
  ['bigquery-warehouse', 15],
] as const)
  test(`${example}: the stack says what the directory says`, { skip: withoutTerraform }, async (t) => {
    const engine = await engineWith(await metadataOf(example), t)
    const folder = await createTerraformFolder(engine, t)
    await folder.copy(join(examples, example, 'terraform'))
    await folder.succeed('fmt', '-check', '-diff', '-recursive')
    await folder.succeed('validate')
    folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'off'
    const ids = await plannedIds(folder)
    assert.equal(ids.length, count)
    folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = undefined
    await folder.write(
      'imports.tf',
      ids.map(([address, id]) => `import {\n  to = ${address}\n  id = "${id}"\n}\n`).join('\n'),
    )
    assert.match(
      await folder.apply(),
      new RegExp(`Apply complete! Resources: ${count} imported, 0 added, 0 changed, 0 destroyed`),
    )
    assert.equal(await folder.isChanged(), false)
    // what is removed is drift, of which the plan says how it is created again
    const metadata = await metadataOf(example)
    const { sources } = metadata as { readonly sources: readonly Record<string, unknown>[] }
    const less = { ...metadata, sources: sources.map((source) => ({ ...source, native_queries: [] })) }
    await engine.metadata('replace_metadata', { metadata: less, allow_inconsistent_metadata: true }, { version: 2 })
    folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'off'
    const [planned, ...others] = await folder.planned()
    assert.match(planned ?? '', /^svc_native_query\.\w+ create$/)
    assert.deepEqual(others, [])
  })

const CANARY = 'canary-of-a-secret'

test('a secret that is written only stands in no plan and no state, a sensitive one in no output', {
  skip: withoutTerraform,
}, async (t) => {
  const key = JSON.stringify({ client_email: 'svc@acme.example', private_key: CANARY, project_id: 'acme' })
  const connection_string = `Server=127.0.0.1,1;Database=shop;Uid=app;Pwd={${CANARY}}`
  const engine = await engineWith(
    {
      version: 3,
      sources: [
        { name: 'shop', kind: 'mssql', tables: [], configuration: { connection_info: { connection_string } } },
        {
          name: 'warehouse',
          kind: 'bigquery',
          tables: [],
          configuration: { service_account: key, project_id: 'acme', datasets: ['sales'] },
        },
      ],
    },
    t,
  )
  const folder = await createTerraformFolder(engine, t)
  folder.environment.TF_VAR_connection = connection_string
  folder.environment.TF_VAR_key = key
  const stack = (suffix: string, ephemeral: boolean) => `${requiredProvider}
variable "connection" {
  sensitive = true
  ephemeral = ${ephemeral}
}
variable "key" {
  sensitive = true
  ephemeral = ${ephemeral}
}
import {
  to = svc_mssql_source.shop
  id = "shop"
}
import {
  to = svc_bigquery_source.warehouse
  id = "warehouse"
}
resource "svc_mssql_source" "shop" {
  name                = "shop"
  connection_string${suffix} = var.connection
}
resource "svc_bigquery_source" "warehouse" {
  name              = "warehouse"
  service_account${suffix} = var.key
  project_id        = "acme"
  datasets          = ["sales"]
}
`
  await folder.write('main.tf', stack('_wo', true))
  folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'off'
  const { stdout, stderr } = await folder.run('apply', '-auto-approve')
  assert.doesNotMatch(stdout + stderr, /canary/)
  const state = await readFile(join(folder.path, 'terraform.tfstate'), 'utf8').catch(() => '')
  assert.doesNotMatch(state, /canary/)
  assert.match(
    state,
    /svc_mssql_source[\s\S]*svc_bigquery_source|svc_bigquery_source[\s\S]*svc_mssql_source/,
    stdout + stderr,
  )
  await folder.write('main.tf', stack('', false))
  const plan = await folder.run('plan')
  assert.doesNotMatch(plan.stdout + plan.stderr, /canary/)
  // as text of a source of another spelling, it means the same
  assert.match(plan.stdout, /0 to add, \d to change, 0 to destroy/)
})
