/** What a preview says before anything is made, and what Check says before a preview. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Music, music, musicWith, newRun, startMusic } from './music.ts'
import { type Plugin, startPlugin } from './plugin.ts'
import { deploy, urnOf } from './small-engine.ts'
import { output, resource, secret, unknownText } from './struct.ts'

let engine: Music
let plugin: Plugin
const cleanUps: (() => Promise<void> | void)[] = []
const suite = { after: (cleanUp: () => Promise<void> | void) => cleanUps.push(cleanUp) }
before(async () => {
  engine = await startMusic(suite)
  plugin = await newRun(engine, suite)
})
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})
beforeEach(() => engine.reset())

const preview = async (resources: typeof music, run?: Plugin) =>
  deploy(run ?? (await newRun(engine, suite)), resources, new Map(), { preview: true })

test('what the engine would refuse fails only that resource, with the path of the property', async () => {
  const columns = await preview(musicWith('album_listener', (inputs) => ({ ...inputs, columns: ['id', 'titel'] })))
  assert.deepEqual([...columns.failed.keys()], ['album_listener'])
  const text = columns.failed.get('album_listener') ?? ''
  assert.match(text, /^columns\[1\]: .*column "titel" does not exist\nThe engine answered/)
  const keys = await preview(musicWith('album_artist', (inputs) => ({ ...inputs, foreignKeyColumns: ['titel'] })))
  assert.match(keys.failed.get('album_artist') ?? '', /^foreignKeyColumns(\[0\])?: .*"titel"/)
  const table = await preview(musicWith('artist', () => ({ table: { name: 'artists' } })))
  assert.match(table.failed.get('artist') ?? '', /^table(\.name)?: .*artists/)
})

test('a key whose name GraphQL cannot take fails its table, with the statement that renames it', async () => {
  const { failed } = await preview(musicWith('artist', () => ({ table: { name: 'label' } })))
  assert.match(
    failed.get('artist') ?? '',
    /^table: .*ALTER TABLE "public"\."label" RENAME CONSTRAINT "label-key" TO label_key\nThe engine answered validation-failed/,
  )
})

test('a misspelt key, in an object or in JSON, fails with the one that may be meant', async () => {
  const reasons = async (kind: string, inputs: object) =>
    (await plugin.check(urnOf(kind, 'p'), {}, { ...inputs } as Parameters<Plugin['check']>[2])).failures.map(
      ({ reason }) => reason,
    )
  const replica = { databaseUrl: 'postgres://h/d', poolSettings: { maxConections: 5 } }
  assert.deepEqual(await reasons('Source', { name: 's', databaseUrl: 'postgres://h/d', readReplicas: [replica] }), [
    'readReplicas[0].poolSettings.maxConections: there is no such property; did you mean maxConnections?',
  ])
  const model = { fields: [{ name: 'id', type: { scalar: 'integer' }, descripton: 'Its key' }] }
  assert.deepEqual(await reasons('NativeQuery', { rootFieldName: 'q', code: 'SELECT 1 AS id', returnsInline: model }), [
    'returnsInline.fields[0].descripton: there is no such key, did you mean "description"?',
  ])
})

test('users may call their columns as attributes are called: names in quotes are theirs', async () => {
  const { failed } = await preview(musicWith('album_listener', (inputs) => ({ ...inputs, columns: ['all_columns'] })))
  assert.match(failed.get('album_listener') ?? '', /column "all_columns" does not exist/)
})

test('what is not known yet is not checked, and remains unknown in what a preview answers', async () => {
  const urn = urnOf('SelectPermission', 'p')
  const given = { table: { name: unknownText }, role: 'a', columns: [unknownText], filter: { x: { _eq: unknownText } } }
  const checked = await plugin.check(urn, {}, given)
  assert.deepEqual(checked.failures, [])
  const created = await plugin.create(urn, checked.inputs, true)
  assert.equal(created.id, '')
  assert.deepEqual(created.properties, {
    ...given,
    table: { schema: 'public', name: unknownText },
    source: 'default',
    allColumns: false,
    allowAggregations: false,
  })
})

test('every mark of an unknown value is understood', async () => {
  const urn = urnOf('Table', 'p')
  const marks = [
    '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
    '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
    unknownText,
    '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
    '030794c1-ac77-496b-92df-f27374a8bd58',
    'e48ece36-62e2-4504-bad9-02848725956a',
    'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
    output(),
    resource(urn, ''),
  ]
  for (const isEnum of marks) {
    const { failures, inputs } = await plugin.check(urn, {}, { table: { name: 'artist' }, isEnum })
    assert.deepEqual(failures, [])
    assert.equal(inputs.isEnum, unknownText)
  }
  assert.equal((await plugin.check(urn, {}, { table: { name: 'a' }, source: output('x') })).inputs.source, 'x')
  assert.equal((await plugin.check(urn, {}, { table: { name: 'a' }, source: resource(urn, 'y') })).inputs.source, 'y')
})

test('what decides an identity and is not known replaces', async () => {
  const urn = urnOf('SelectPermission', 'p')
  const before = {
    table: { schema: 'public', name: 'album' },
    role: 'a',
    columns: ['id'],
    filter: {},
    source: 'default',
  }
  const id = 'default/public/album/a'
  const table = await plugin.diff(urn, id, before, { ...before, table: unknownText })
  assert.deepEqual([table.detailed, table.replaces], [['table: UPDATE_REPLACE'], ['table']])
  const filter = await plugin.diff(urn, id, before, { ...before, filter: unknownText })
  assert.deepEqual([filter.detailed, filter.replaces], [['filter: UPDATE'], []])
  const added = await plugin.diff(urn, id, before, { ...before, limit: 3, columns: null, allColumns: true })
  assert.deepEqual(added.detailed, ['allColumns: ADD', 'columns: DELETE', 'limit: ADD'])
})

test('a check reports each property that is wrong, and what may be meant by one that there is none of', async () => {
  const urn = urnOf('SelectPermission', 'p')
  const { failures } = await plugin.check(
    urn,
    {},
    {
      table: { nmae: 'album' },
      role: 7,
      all_columns: true,
      limit: -1,
      filter: {},
    },
  )
  assert.deepEqual(failures, [
    { property: '', reason: 'all_columns: there is no such property; did you mean allColumns?' },
    { property: '', reason: 'table.nmae: there is no such property; did you mean name?' },
    { property: 'table', reason: 'table.name: is required' },
    { property: 'role', reason: 'must be a text' },
    { property: 'limit', reason: 'must not be negative' },
    { property: '', reason: 'one of `columns`, `allColumns` must be given' },
  ])
  const both = await plugin.check(
    urn,
    {},
    { table: { name: 'a' }, role: 'b', columns: ['c'], allColumns: true, filter: {} },
  )
  assert.deepEqual(both.failures, [
    { property: 'allColumns', reason: 'only one of `columns`, `allColumns` may be given' },
  ])
})

test('defaults are filled in, and keys of maps and of JSON remain as users write them', async () => {
  const given = {
    table: { name: 'album' },
    columnConfig: { is_enum: { customName: 'x' } },
  }
  assert.deepEqual((await plugin.check(urnOf('Table', 't'), {}, given)).inputs, {
    source: 'default',
    table: { schema: 'public', name: 'album' },
    isEnum: false,
    columnConfig: { is_enum: { customName: 'x' } },
  })
  const filter = { is_enum: { _and: [{ customName: null }, { 'a b': 1.5 }] } }
  const permission = { table: { name: 'album' }, role: 'a', columns: ['id'], filter }
  assert.deepEqual((await plugin.check(urnOf('SelectPermission', 'p'), {}, permission)).inputs.filter, filter)
})

test('where checks are lenient, what a preview cannot say is a warning at the resource, and once', async (t) => {
  const nowhere = await startPlugin(t)
  const endpoint = 'http://127.0.0.1:9'
  await nowhere.configure({ endpoint, adminSecret: 'a', previewChecks: 'lenient' })
  const { failed, states } = await preview(music, nowhere)
  assert.deepEqual([...failed], [])
  assert.equal(states.size, music.length)
  assert.equal(nowhere.engine.reported.length, 1)
  const [reported] = nowhere.engine.reported
  assert.equal(reported?.severity, 'warning')
  assert.match(reported?.message ?? '', /^plans are not checked by the engine\n.*127\.0\.0\.1:9/)
  assert.match(reported?.urn ?? '', /^urn:pulumi:dev::music::svc:index:Table::/)
  assert.ok((reported?.timeout ?? 0) > 30_000, `${reported?.timeout}`)
})

test('a preview that could not be checked fails, and says how it would not', async (t) => {
  const nowhere = await startPlugin(t)
  await nowhere.configure({ endpoint: 'http://127.0.0.1:9', adminSecret: 'a' })
  const { failed } = await preview(music, nowhere)
  assert.match([...failed.values()].join(), /previewChecks = "lenient" makes a warning of this/)
})

test('a preview may be configured to warn only, or to ask nothing', async (t) => {
  const wrong = musicWith('album_listener', (inputs) => ({ ...inputs, columns: ['titel'] }))
  const warned = await newRun(engine, t, { previewChecks: 'warn' })
  assert.deepEqual([...(await preview(wrong, warned)).failed], [])
  assert.match(warned.engine.reported.map(({ message }) => message).join(), /^columns\[0\]: .*"titel" does not exist/)
  const silent = await newRun(engine, t, { previewChecks: 'off' })
  assert.deepEqual([...(await preview(wrong, silent)).failed], [])
  assert.deepEqual(silent.engine.reported, [])
})

test('a configuration is checked by property, texts of numbers and flags among it', async () => {
  const good = {
    endpoint: 'http://a',
    adoptExisting: 'true',
    requestTimeout: '5',
    version: '1.0.0',
    previewChecks: 'off',
  }
  assert.deepEqual(await plugin.checkConfig(good), { inputs: good, failures: [] })
  const bad = { endpoint: 7, adoptExisting: 'yes', requestTimeout: -1, adminSecert: 'x', refreshBeforeUpdate: 3 }
  assert.deepEqual((await plugin.checkConfig(bad)).failures, [
    { property: '', reason: 'adminSecert: there is no such property; did you mean adminSecret?' },
    { property: 'endpoint', reason: 'must be a text' },
    { property: 'adoptExisting', reason: 'must be true or false' },
    { property: 'requestTimeout', reason: 'must be above 0' },
    { property: 'refreshBeforeUpdate', reason: 'must be true or false' },
  ])
  assert.deepEqual((await plugin.checkConfig({ endpoint: unknownText, requestTimeout: unknownText })).failures, [])
})

test('no change of the configuration replaces a resource', async () => {
  const before = { endpoint: 'http://a', requestTimeout: 5 }
  assert.equal((await plugin.diffConfig(before, { ...before, requestTimeout: '5', version: '2.0.0' })).changes, 'none')
  const moved = await plugin.diffConfig(before, { ...before, endpoint: 'http://b', adminSecret: secret('x') })
  assert.deepEqual([moved.changes, moved.diffs, moved.replaces], ['some', ['endpoint', 'adminSecret'], []])
})

test('an endpoint that nothing gives is reported as the key that is missing', async (t) => {
  const plain = await startPlugin(t)
  await assert.rejects(plain.configure({}), (error: { message: string; details: Buffer }) => {
    assert.match(error.message, /^endpoint is required/)
    assert.match(error.details.toString('latin1'), /pulumirpc\.ConfigureErrorMissingKeys.*endpoint/s)
    return true
  })
})

test('what Pulumi calls besides resources is answered, and what is not there is unimplemented', async () => {
  assert.equal(await plugin.version(), '0.2.0')
  const schema = JSON.parse(await plugin.schema())
  assert.ok('svc:index:SelectPermission' in schema.resources && 'svc:index:getUnmanaged' in schema.functions)
  await assert.rejects(plugin.getMapping(), { code: 12 })
  await assert.rejects(plugin.check('urn:pulumi:dev::music::svc:index:Nothing::a', {}, {}), {
    message: 'this provider has no resource type svc:index:Nothing',
  })
  await assert.rejects(plugin.invoke('svc:index:getNothing', {}), {
    message: 'this provider has no function svc:index:getNothing',
  })
})

test('functions report the metadata, what has changed in it and what is not managed', async (t) => {
  const run = await newRun(engine, t)
  const { states } = await deploy(run, music)
  const { result } = await run.invoke('svc:index:getMetadata', {})
  const { metadata, resourceVersion, catalogId } = result as { [name: string]: unknown }
  assert.match(JSON.stringify(metadata), /"listener"/)
  assert.match(JSON.stringify(metadata), /1b47061264138c4ac30d75fd1eb44270/)
  const changes = await run.invoke('svc:index:getMetadataChanges', {
    sinceResourceVersion: Number(resourceVersion) - 1,
    catalogId,
  })
  assert.equal(changes.result?.complete, true)
  const [last] = (changes.result?.changes ?? []) as readonly { readonly by: { readonly actor: string } }[]
  assert.match(last?.by.actor ?? '', /^pulumi, /)
  const managed = {
    'svc:index:Table': [states.get('artist')?.id, states.get('album')?.id],
    'svc:index:ObjectRelationship': [states.get('album_artist')?.id],
    'svc:index:Source': ['default'],
  }
  const { result: unmanaged } = await run.invoke('svc:index:getUnmanaged', { managed })
  assert.deepEqual(unmanaged?.objects, [
    {
      kind: 'svc:index:SelectPermission',
      id: 'default/public/album/listener',
      type: 'select_permission',
      name: 'select_permission listener in table album in source default',
    },
  ])
  const wrong = await run.invoke('svc:index:getMetadataChanges', { sinceResourceVersion: 'x', since: 1 })
  assert.deepEqual(wrong.failures, [
    { property: '', reason: 'since: there is no such property' },
    { property: 'sinceResourceVersion', reason: 'must be a whole number' },
  ])
})
