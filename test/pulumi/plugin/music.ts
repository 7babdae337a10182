/** Artists, albums and songs in a database, and the stack that most tests of the plugin deploy. */
import pg from 'pg'
import { type Engine, startEngine } from '../../engine.ts'
import { createTestDatabase } from '../../postgres.ts'
import { type Plugin, type Properties, startPlugin } from './plugin.ts'
import type { Resource } from './small-engine.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export interface Music extends Engine {
  /** Tracks nothing again. */
  reset(): Promise<void>
  /** The metadata as text. */
  exported(): Promise<string>
}

/** Starts an engine that tracks nothing. */
export async function startMusic(t: WithAfter, secret = 'test-secret'): Promise<Music> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client
    .query(`CREATE TABLE artist (id integer PRIMARY KEY, name text, country text);
      CREATE TABLE album (id integer PRIMARY KEY, title text, artist_id integer REFERENCES artist);
      CREATE TABLE song (id integer PRIMARY KEY, title text, artist_id integer REFERENCES artist);
      CREATE TABLE label (id integer, CONSTRAINT "label-key" PRIMARY KEY (id))`)
    .finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url, secret }, t)
  t.after(database.drop)
  const exported = async () => (await engine.metadata('export_metadata', {})).text
  const nothing = JSON.parse(await exported())
  return {
    ...engine,
    exported,
    reset: async () => {
      await engine.metadata('replace_metadata', nothing)
    },
  }
}

/** A new run, as every command of Pulumi has one. */
export async function newRun(
  engine: { readonly url: string; readonly secret: string },
  t: WithAfter,
  more: Properties = {},
): Promise<Plugin> {
  const plugin = await startPlugin(t)
  await plugin.configure({ endpoint: engine.url, adminSecret: engine.secret, ...more })
  return plugin
}

export const music: readonly Resource[] = [
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

/** The stack with other inputs of one resource. */
export const musicWith = (name: string, inputs: (before: Properties) => Properties): readonly Resource[] =>
  music.map((resource) => {
    if (resource.name !== name) return resource
    const given = resource.inputs
    return { ...resource, inputs: (of) => inputs(typeof given === 'function' ? given(of) : given) }
  })
