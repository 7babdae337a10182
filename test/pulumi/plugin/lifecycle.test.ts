/** A stack's life through the plugin: made, unchanged, changed, drifted, healed, replaced, imported, removed. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { type Music, music, musicWith, newRun, startMusic } from './music.ts'
import type { Properties } from './plugin.ts'
import { type Deployed, deploy, refreshed, type States, urnOf } from './small-engine.ts'

let engine: Music
const cleanUps: (() => Promise<void>)[] = []
before(async () => {
  engine = await startMusic({ after: (cleanUp) => cleanUps.push(cleanUp) })
})
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})
beforeEach(() => engine.reset())

function done(deployed: Deployed): Deployed {
  assert.deepEqual([...deployed.failed], [])
  return deployed
}

async function made(t: TestContext): Promise<States> {
  return done(await deploy(await newRun(engine, t), music)).states
}

const steps = ['artist: create', 'album: create', 'album_artist: create', 'album_listener: create']

test('a stack is previewed without being made, and made as it was previewed', async (t) => {
  const plugin = await newRun(engine, t)
  const preview = done(await deploy(plugin, music, new Map(), { preview: true }))
  assert.deepEqual(preview.steps, steps)
  assert.equal((await engine.exported()).includes('listener'), false)
  const up = done(await deploy(plugin, music))
  assert.deepEqual(up.steps, steps)
  assert.equal((await engine.exported()).includes('listener'), true)
  assert.deepEqual(
    [...preview.states],
    [...up.states].map(([name, state]) => [name, { ...state, outputs: withoutMade(state.outputs) }]),
  )
  assert.equal(up.states.get('album_listener')?.id, 'default/public/album/listener')
})

/** Without what says who made it, which is not shown. */
const withoutMade = ({ __made, ...outputs }: Properties): Properties => outputs

test('what was made is found unchanged, with and without reading the engine', async (t) => {
  const states = await made(t)
  const plugin = await newRun(engine, t)
  assert.deepEqual(done(await deploy(plugin, music, states)).steps, [])
  assert.deepEqual([...(await refreshed(plugin, states))], [...states])
})

test('a change is made in place, by the attribute that differs', async (t) => {
  const states = await made(t)
  const limited = musicWith('album_listener', (inputs) => ({ ...inputs, limit: 5 }))
  const plugin = await newRun(engine, t)
  const preview = done(await deploy(plugin, limited, states, { preview: true }))
  assert.deepEqual(preview.steps, ['album_listener: update'])
  const listener = states.get('album_listener')
  assert.ok(listener)
  const difference = await plugin.diff(listener.urn, listener.id, listener.outputs, { ...listener.inputs, limit: 5 })
  assert.deepEqual(difference, {
    changes: 'some',
    detailed: ['limit: ADD'],
    diffs: ['limit'],
    replaces: [],
    deleteBeforeReplace: false,
  })
  const up = done(await deploy(plugin, limited, states))
  assert.deepEqual(done(await deploy(await newRun(engine, t), limited, up.states, { refresh: true })).steps, [])
})

test('other spellings of the same are no difference', async (t) => {
  const states = await made(t)
  const respelled = musicWith('album_listener', (inputs) => ({
    ...inputs,
    columns: ['id', 'title', 'id'],
    queryRootFields: null,
    allColumns: false,
  }))
  assert.deepEqual(done(await deploy(await newRun(engine, t), respelled, states)).steps, [])
})

test('what another client changes is found by a refresh, reported by its path, and corrected', async (t) => {
  const states = await made(t)
  await engine.metadata('pg_set_table_customization', {
    table: 'album',
    configuration: { custom_root_fields: { select: { name: 'records' } } },
  })
  const plugin = await newRun(engine, t)
  const now = await refreshed(plugin, states)
  const album = now.get('album')
  assert.deepEqual(album?.outputs.customRootFields, { select: { name: 'records' } })
  assert.deepEqual(album?.inputs, withoutMade(album?.outputs ?? {}))
  const wanted = states.get('album')?.inputs ?? {}
  const { detailed } = await plugin.diff(album?.urn ?? '', album?.id ?? '', album?.outputs ?? {}, wanted)
  assert.deepEqual(detailed, ['customRootFields.select.name: UPDATE'])
  const healed = done(await deploy(plugin, music, states, { refresh: true }))
  assert.deepEqual(healed.steps, ['album: update'])
  assert.equal((await engine.exported()).includes('records'), false)
})

test('a table that another client untracked is created again with the objects in it', async (t) => {
  const states = await made(t)
  await engine.metadata('pg_untrack_table', { table: 'album', cascade: true })
  const plugin = await newRun(engine, t)
  assert.deepEqual([...(await refreshed(plugin, states)).keys()], ['artist'])
  const healed = done(await deploy(plugin, music, states, { refresh: true }))
  assert.deepEqual(healed.steps, ['album: create', 'album_artist: create', 'album_listener: create'])
})

test('another table in place of one takes along what is in it, previewed with the old ones gone', async (t) => {
  const states = await made(t)
  const moved = musicWith('album', (inputs) => ({ ...inputs, table: { name: 'song' } }))
  const replaced = ['album: replace', 'album_artist: replace', 'album_listener: replace']
  const plugin = await newRun(engine, t)
  // both tables have the same root field, so that they could not be there together
  const preview = done(await deploy(plugin, moved, states, { preview: true }))
  assert.deepEqual(preview.steps, replaced)
  const album = states.get('album')
  const difference = await plugin.diff(album?.urn ?? '', album?.id ?? '', album?.outputs ?? {}, {
    ...album?.inputs,
    table: { schema: 'public', name: 'song' },
  })
  assert.deepEqual(difference.detailed, ['table.name: UPDATE_REPLACE'])
  // what is there is moved when the new one is made: nothing is gone in between
  assert.deepEqual([difference.replaces, difference.deleteBeforeReplace], [['table'], false])
  const up = done(await deploy(await newRun(engine, t), moved, states))
  assert.equal(up.states.get('album_listener')?.id, 'default/public/song/listener')
  assert.equal((await engine.exported()).includes('"album"'), false)
  assert.deepEqual(done(await deploy(await newRun(engine, t), moved, up.states, { refresh: true })).steps, [])
})

test('an import reads just what a check would make of the same inputs', async (t) => {
  const states = await made(t)
  const plugin = await newRun(engine, t)
  for (const [name, { urn, id }] of states) {
    const { id: found, inputs, properties } = await plugin.read(urn, id)
    assert.equal(found, id)
    assert.deepEqual(properties, inputs)
    assert.deepEqual((await plugin.check(urn, {}, inputs ?? {})).inputs, inputs, name)
    const own = states.get(name)
    const { changes } = await plugin.diff(urn, id, properties ?? {}, own?.inputs ?? {})
    assert.equal(changes, 'none', name)
  }
})

test('what is not there cannot be imported, and for what is no id the error shows the form of one', async (t) => {
  const plugin = await newRun(engine, t)
  const none = await plugin.read(urnOf('Table', 'a'), 'default/public/nothing')
  assert.deepEqual([none.id, none.properties, none.inputs], ['', null, null])
  await assert.rejects(plugin.read(urnOf('Table', 'a'), 'nothing'), {
    message: /^"nothing" is no id of a Table\nexpected <source>\/<schema>\/<table>, such as default\/public\/album;/,
  })
})

test('what exists already is refused with its import id, or taken over where that is wanted', async (t) => {
  await made(t)
  const failed = await deploy(await newRun(engine, t), music, new Map(), { preview: true })
  assert.deepEqual([...failed.failed.keys()], ['artist', 'album'])
  assert.match(
    failed.failed.get('artist') ?? '',
    /Import it by the id "default\/public\/artist", or set adoptExisting\./,
  )
  const adopting = await newRun(engine, t, { adoptExisting: 'true' })
  done(await deploy(adopting, music, new Map(), { preview: true }))
  assert.equal(done(await deploy(adopting, music)).states.size, music.length)
})

test('a stack goes in any order that its dependencies allow, and going twice is no mistake', async (t) => {
  const states = await made(t)
  const plugin = await newRun(engine, t)
  const album = states.get('album')
  assert.ok(album)
  assert.equal(done(await deploy(plugin, [], states)).states.size, 0)
  await plugin.remove(album.urn, album.id, album.outputs)
  assert.equal((await engine.exported()).includes('album'), false)
})

test('an object that the program has under another name too remains when one of both goes', async (t) => {
  const states = await made(t)
  const album = states.get('album')
  assert.ok(album)
  const twice = new Map([...states, ['records', { ...album, urn: urnOf('Table', 'records') }]])
  assert.deepEqual(done(await deploy(await newRun(engine, t), music, twice)).steps, ['records: delete'])
  assert.equal((await engine.exported()).includes('"album"'), true)
})

test('a destruction with a refresh takes everything away, though each resource was compared', async (t) => {
  const states = await made(t)
  const plugin = await newRun(engine, t)
  const now = await refreshed(plugin, states)
  // a refresh compares what it has read with the state, and asks for no check: there is no program
  for (const { urn, id, inputs, outputs } of now.values()) await plugin.diff(urn, id, outputs, inputs)
  assert.equal(done(await deploy(plugin, [], now)).states.size, 0)
  assert.equal((await engine.exported()).includes('album'), false)
})

test('every answer asks for a refresh before each update only where the provider is configured to', async (t) => {
  const eager = await newRun(engine, t, { refreshBeforeUpdate: true })
  const [first] = music
  assert.ok(first && typeof first.inputs !== 'function')
  const urn = urnOf('Table', 'artist')
  const { inputs } = await eager.check(urn, {}, first.inputs)
  const created = await eager.create(urn, inputs)
  assert.equal(created.refreshBeforeUpdate, true)
  const read = await eager.read(urn, created.id, created.properties ?? {}, inputs)
  assert.equal(read.refreshBeforeUpdate, true)
  assert.equal((await eager.update(urn, created.id, inputs, inputs)).refreshBeforeUpdate, true)
  const usual = await newRun(engine, t)
  assert.equal((await usual.read(urn, created.id, inputs, inputs)).refreshBeforeUpdate, false)
})
