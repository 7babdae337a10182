/** One object of every kind, with everything it can have, taken over by Terraform. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { catalogue } from '../../provider/src/resources/index.ts'
import { onlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { samples, sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { deploy, newRun } from '../provider/deploy.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { withoutTerraform } from '../terraform/terraform.ts'
import { adoptByTerraform, assertTakenByTerraform } from './take-over.ts'

test('an object of every kind is taken over with all its attributes', { skip: withoutTerraform }, async (t) => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(sampleTables).finally(() => client.end())
  const remote = await startRemoteServer(sampleRemote, {})
  const env = { SVC_TEST_OTHER_URL: database.url, SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  t.after(remote.close)
  t.after(database.drop)
  const made = await makeSamples(engine, remote.url)
  const folder = await adoptByTerraform(t, engine)
  folder.environment.TF_VAR_other_database_url = database.url
  for (const owner of ['daily_report', 'artist_on_artist', 'shout', 'crm'])
    folder.environment[`TF_VAR_${owner}_headers_0_value`] = 'the provider'
  assert.deepEqual(
    catalogue.map(({ kind }) => kind).filter((kind) => !made.has(kind) && !onlyElsewhere.has(kind)),
    [],
  )
  await assertTakenByTerraform(folder, engine, await countObjects(engine))
})

/** The samples' objects and what else they need; the kinds that were made. */
async function makeSamples(engine: Engine, remoteUrl: string): Promise<ReadonlySet<string>> {
  const run = newRun(engine)
  for (const table of [{ name: 'artist' }, { name: 'album' }, { name: 'track' }, { name: 'album', schema: 'shop' }])
    await deploy(run, 'Table', null, { table, custom_name: table.schema ? 'shop_album' : null })
  const all = { all_columns: true, filter: '{}', table: { name: 'album' } }
  for (const role of ['user', 'guest']) await deploy(run, 'SelectPermission', null, { ...all, role })
  const bases = new Map(samples(engine.databaseUrl, undefined, remoteUrl).map(({ kind, base }) => [kind, base]))
  for (const { kind } of catalogue) {
    const base = bases.get(kind)
    if (base) await deploy(run, kind, null, base)
  }
  return new Set(bases.keys())
}

/** Every object is one that a kind stands for. */
async function countObjects(engine: Engine): Promise<number> {
  const run = newRun(engine)
  const { state, diagnostics } = await run.readData('unmanaged_objects', {})
  assert.deepEqual(diagnostics, [])
  const objects = state?.objects
  assert.ok(Array.isArray(objects))
  return objects.length
}
