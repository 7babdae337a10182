/** A stack's life through the plugin: made, unchanged, changed, drifted, healed, replaced, imported, removed. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../../engine.ts'
import { createTestDatabase } from '../../postgres.ts'
import { type Plugin, type Properties, startPlugin } from './plugin.ts'
import { type Deployed, deploy, type Resource } from './small-engine.ts'

/** Starts an engine over artists and albums, tracking nothing. */
async function startMusic(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client
    .query(`CREATE TABLE artist (id integer PRIMARY KEY, name text, country text);
      CREATE TABLE album (id integer PRIMARY KEY, title text, artist_id integer REFERENCES artist);
      CREATE TABLE song (id integer PRIMARY KEY, title text)`)
    .finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

/** A new run, as every command of Pulumi has one. */
async function configured(
  engine: Pick<Engine, 'url' | 'secret'>,
  t: TestContext,
  more: Properties = {},
): Promise<Plugin> {
  const plugin = await startPlugin(t)
  await plugin.configure({ endpoint: engine.url, adminSecret: engine.secret, ...more })
  return plugin
}

const music: readonly Resource[] = [
  { name: 'artist', kind: 'Table', inputs: { table: { name: 'artist' } } },
  {
    name: 'album',
    kind: 'Table',
    inputs: { table: { name: 'album' }, customRootFields: { select: { name: 'albums' } } },
  },
  {
    name: 'album_artist',
    kind: 'ObjectRelationship',
    inputs: (of) => ({ table: of('album').table, name: 'artist', foreignKeyColumns: ['artist_id'] }),
    after: ['album', 'artist'],
  },
  {
    name: 'album_listener',
    kind: 'SelectPermission',
    inputs: (of) => ({
      table: of('album').table,
      role: 'listener',
      columns: ['title', 'id'],
      filter: { artist: { country: { _eq: 'X-Svc-Country' } } },
    }),
    after: ['album', 'album_artist'],
  },
]

const changed = (name: string, inputs: (before: Properties) => Properties): readonly Resource[] =>
  music.map((resource) => {
    if (resource.name !== name) return resource
    const given = resource.inputs
    return { ...resource, inputs: (of) => inputs(typeof given === 'function' ? given(of) : given) }
  })

function assertDone({ failed }: Deployed): void {
  assert.deepEqual([...failed], [])
}

test('a stack is previewed, made, found unchanged, changed and removed', async (t) => {
  const engine = await startMusic(t)
  let plugin = await configured(engine, t)
  const steps = ['artist: create', 'album: create', 'album_artist: create', 'album_listener: create']
  const preview = await deploy(plugin, music, new Map(), { preview: true })
  assertDone(preview)
  assert.deepEqual(preview.steps, steps)
  assert.equal(preview.states.get('album')?.id, 'default/public/album')
  assert.equal((await engine.metadata('export_metadata', {})).text.includes('listener'), false)

  const up = await deploy(plugin, music)
  assertDone(up)
  assert.deepEqual(up.steps, steps)
  assert.equal(up.states.get('album_listener')?.id, 'default/public/album/listener')
  assert.equal((await engine.metadata('export_metadata', {})).text.includes('listener'), true)

  plugin = await configured(engine, t)
  assert.deepEqual((await deploy(plugin, music, up.states, { refresh: true })).steps, [])

  const limited = changed('album_listener', (inputs) => ({ ...inputs, limit: 5 }))
  assert.deepEqual((await deploy(plugin, limited, up.states, { preview: true })).steps, ['album_listener: update'])
  const updated = await deploy(plugin, limited, up.states)
  assertDone(updated)
  assert.deepEqual((await deploy(await configured(engine, t), limited, updated.states, { refresh: true })).steps, [])

  const gone = await deploy(await configured(engine, t), [], updated.states)
  assertDone(gone)
  assert.equal(gone.states.size, 0)
  assert.equal((await engine.metadata('export_metadata', {})).text.includes('album'), false)
})
