/** Every kind with a real engine: made, changed in each attribute, replaced, drifted, imported, removed. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { objectData, type Value } from '../../provider/src/resources/index.ts'
import { namespaced, sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { samples, sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from '../serving/remote-server.ts'
import { deploy, destroy, newRun, plan } from './deploy.ts'

let engine: Engine
let folder: string
let urlFile: string
let remote: RemoteServer
before(async () => {
  const database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'svc-kinds-'))
  urlFile = join(folder, 'url')
  await writeFile(urlFile, database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(sampleTables).finally(() => client.end())
  remote = await startRemoteServer(sampleRemote, {})
  engine = await startEngine({
    databaseUrl: database.url,
    env: {
      SVC_TEST_OTHER_URL: database.url,
      SVC_TEST_REMOTE_URL: remote.url,
      SVC_TEST_TELEMETRY: 'disabled',
      SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
    },
  })
})
after(async () => {
  await engine.stop()
  await remote.close()
  await rm(folder, { recursive: true })
})

/** What the samples need around them: a second source, and all tables but the one a sample is about. */
async function surround(kind: string): Promise<void> {
  const cleared = await engine.metadata('clear_metadata', {})
  assert.equal(cleared.status, 200, cleared.text)
  const run = newRun(engine)
  // next to the source `default` that clearing leaves
  await deploy(run, 'Source', null, { name: 'twin', database_url: engine.databaseUrl })
  if (kind === 'Source' || kind === 'Table') return
  for (const source of ['default', 'twin'])
    for (const table of [{ name: 'artist' }, { name: 'album' }, { name: 'track' }, { name: 'album', schema: 'shop' }])
      await deploy(run, 'Table', null, {
        source,
        table,
        custom_name: source === 'twin' ? `twin_${table.schema ?? 'public'}_${table.name}` : null,
      })
  if (kind === 'SelectPermission') await showLabel(run)
  if (kind === 'FunctionPermission') await surroundFunctionPermission(run)
  if (kind === 'InheritedRole') await nameRoles(run)
  if (kind === 'AllowlistEntry' || kind === 'RestEndpoint') await collectQueries(run)
  if (kind === 'ActionPermission') await makeActions(run)
  if (kind.startsWith('Remote') && kind !== 'RemoteSchema') await addRemoteSchemas(run)
  if (kind === 'NativeQuery' || kind === 'LogicalModelPermission') await trackLogicalModels(run)
}

const showLabel = (run: Provider) =>
  deploy(run, 'ComputedField', null, {
    table: { name: 'artist' },
    name: 'label',
    function: { name: 'artist_label' },
    table_argument: 'own',
    session_argument: 'session',
  })

async function surroundFunctionPermission(run: Provider): Promise<void> {
  for (const source of ['default', 'twin']) {
    const all = { source, all_columns: true, filter: '{}', table: { name: 'album' } }
    for (const role of ['user', 'guest']) await deploy(run, 'SelectPermission', null, { ...all, role })
    for (const schema of ['public', 'shop']) {
      const custom_name = `${source}_${schema}_search`
      await deploy(run, 'Function', null, { source, function: { schema, name: 'search_albums' }, custom_name })
    }
  }
}

async function nameRoles(run: Provider): Promise<void> {
  const all = { source: 'default', all_columns: true, filter: '{}', table: { name: 'album' } }
  for (const role of ['user', 'guest']) await deploy(run, 'SelectPermission', null, { ...all, role })
}

async function collectQueries(run: Provider): Promise<void> {
  const collection = samples(engine.databaseUrl).find(({ kind }) => kind === 'QueryCollection')
  for (const name of ['albums', 'others']) await deploy(run, 'QueryCollection', null, { ...collection?.base, name })
}

async function makeActions(run: Provider): Promise<void> {
  const action = samples(engine.databaseUrl).find((one) => one.kind === 'Action')
  for (const name of ['shout', 'sing']) await deploy(run, 'Action', null, { ...action?.base, name })
}

async function addRemoteSchemas(run: Provider): Promise<void> {
  for (const name of ['crm', 'support'])
    await deploy(run, 'RemoteSchema', null, { name, url: remote.url, customization: namespaced(name) })
}

async function trackLogicalModels(run: Provider): Promise<void> {
  const fields = [
    { name: 'id', scalar: 'integer' },
    { name: 'titles', scalar: 'text', array: true, nullable: true },
  ]
  for (const [source, name] of [
    ['default', 'top_album'],
    ['default', 'low_album'],
    ['twin', 'twin_album'],
  ])
    await deploy(run, 'LogicalModel', null, { source: source ?? '', name: name ?? '', fields })
}

async function expectSettled(provider: Provider, kind: string, state: Values, config: Values): Promise<void> {
  const { planned, changed, diagnostics } = await plan(provider, kind, state, config)
  assert.deepEqual(diagnostics, [])
  assert.deepEqual(changed, [])
  assert.equal(planned, state)
}

const readBack = async (kind: string, state: Values): Promise<Values | null> => {
  const read = await newRun(engine).read(kind, state)
  assert.deepEqual(read.diagnostics, [])
  return read.state
}

for (const { kind, changes } of samples('postgres://u@h/d')) {
  describe(kind, () => {
    const sample = () => {
      const found = samples(engine.databaseUrl, urlFile, remote.url).find((one) => one.kind === kind)
      assert.ok(found)
      return found
    }
    const names = Object.keys(changes)
    let metadataBefore: unknown
    before(async () => {
      await surround(kind)
      metadataBefore = (await engine.metadata('export_metadata', {})).body
    })
    beforeEach(async () => {
      const { status, text } = await engine.metadata('replace_metadata', metadataBefore)
      assert.equal(status, 200, text)
    })

    test('made, it is there as it was planned, and the next run finds nothing to do', async () => {
      const { base } = sample()
      const state = await deploy(newRun(engine), kind, null, base)
      assert.deepEqual(await readBack(kind, state), state)
      await expectSettled(newRun(engine), kind, state, base)
      await destroy(newRun(engine), kind, state)
      assert.equal(await readBack(kind, state), null)
      await destroy(newRun(engine), kind, state)
    })

    test('its data source says what the resource says, secrets only where they are asked for', async () => {
      const { base } = sample()
      const state = await deploy(newRun(engine), kind, null, base)
      const data = objectData.find((one) => one.kind.kind === kind)
      assert.ok(data)
      const asked: Values = Object.fromEntries<Value>(
        Object.keys(data.inputs).map((name) => [name, state[name] ?? null]),
      )
      const read = async (more: Values) => {
        const found = await newRun(engine).readData(data.name, { ...asked, ...more })
        assert.deepEqual(found.diagnostics, [])
        assert.ok(found.state)
        return found.state
      }
      const isSecret = Object.hasOwn(data.inputs, 'show_secrets')
      const clear = await read(isSecret ? { show_secrets: true } : {})
      const run = newRun(engine)
      const imported = (await run.read(kind, run.importStub(kind, String(state.id)).state ?? {})).state ?? {}
      for (const name of Object.keys(data.outputs)) assert.deepEqual(clear[name], imported[name], name)
      const { attributes } = data.kind
      const shown = await read({})
      for (const name of Object.keys(data.outputs))
        if (
          attributes[name]?.sensitive &&
          typeof state[name] === 'string' &&
          !/from_env|^\{\{/.test(String(state[name]))
        )
          assert.equal(String(shown[name]).includes(String(state[name])), false, name)
      await destroy(newRun(engine), kind, state)
      if (data.kind.identityPaths.length === 0) return
      const { diagnostics } = await newRun(engine).readData(data.name, asked)
      assert.match(diagnostics[0]?.summary ?? '', new RegExp(`^the engine has no ${kind} `))
    })

    for (const name of names) {
      test(`${name}: changed and changed back, each time settled after one run`, async () => {
        const { base, changes: all } = sample()
        const other = { ...base, ...all[name] }
        const state = await deploy(newRun(engine), kind, null, base)
        const changed = await deploy(newRun(engine), kind, state, other)
        assert.deepEqual(await readBack(kind, changed), changed)
        await expectSettled(newRun(engine), kind, changed, other)
        const back = await deploy(newRun(engine), kind, changed, base)
        assert.deepEqual(await readBack(kind, back), state)
        await destroy(newRun(engine), kind, back)
      })

      test(`${name}: changed behind the back, it is found and corrected`, async () => {
        const { base, changes: all } = sample()
        const state = await deploy(newRun(engine), kind, null, base)
        const elsewhere = await deploy(newRun(engine), kind, state, { ...base, ...all[name] })
        const found = await readBack(kind, state)
        if (elsewhere.id === state.id) {
          assert.ok(found)
          assert.notDeepEqual(found, state)
          const healed = await deploy(newRun(engine), kind, found, base)
          assert.deepEqual(await readBack(kind, healed), state)
        } else {
          assert.equal(found, null)
          await destroy(newRun(engine), kind, elsewhere)
          await deploy(newRun(engine), kind, null, base)
        }
        await destroy(newRun(engine), kind, state)
      })
    }

    test('imported by its id, nothing is left to do', async () => {
      const { base } = sample()
      const state = await deploy(newRun(engine), kind, null, base)
      const run = newRun(engine)
      const stub = run.importStub(kind, String(state.id))
      assert.deepEqual(stub.diagnostics, [])
      const { state: imported } = await run.read(kind, stub.state ?? {})
      assert.ok(imported)
      await expectSettled(run, kind, imported, base)
      await destroy(run, kind, imported)
    })
  })
}
