/** What the forms of the ten commonest kinds declare: one of each, on the tables of `tenTables`. */
import type { JsonObject } from '@svc/schema'
import type { Drafted } from '../../console/src/change/drafted.ts'
import type { Values } from '../../provider/src/resources/index.ts'

export const tenTables = `
  CREATE TABLE artist (id int PRIMARY KEY, name text NOT NULL);
  CREATE TABLE album (id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist);
  CREATE TABLE genre (id int PRIMARY KEY, name text)`

/** The objects next to which they are declared. */
export const trackedBefore: JsonObject = { type: 'pg_track_table', args: { table: 'genre' } }

const artist = { schema: null, dataset: null, name: 'artist' }
const album = { schema: null, dataset: null, name: 'album' }
const own = JSON.stringify({ artist: { name: { _eq: 'X-Svc-Artist' } }, _or: [{ id: { _gt: 1 } }] })

const declared: readonly (readonly [kind: string, values: Values])[] = [
  ['Table', { table: artist, custom_name: 'performer', comment: `"Who" \${made} it\nand %{when}` }],
  ['Table', { table: album, column_config: { title: { custom_name: 'called', comment: null } } }],
  // the customization of what is there already
  ['Table', { table: { ...album, name: 'genre' }, custom_name: 'style', custom_root_fields: { select: { name: 'styles', comment: null } } }],
  ['ObjectRelationship', { table: album, name: 'artist', foreign_key_columns: ['artist_id'] }],
  ['ArrayRelationship', { table: artist, name: 'albums', remote_foreign_key: { table: album, columns: ['artist_id'] } }],
  ['SelectPermission', { table: album, role: 'listener', columns: ['id', 'title'], filter: own, limit: 20, allow_aggregations: true }],
  ['InsertPermission', { table: album, role: 'listener', columns: ['title'], check: '{}', set: '{"artist_id": "X-Svc-Artist-Id"}' }],
  ['UpdatePermission', { table: album, role: 'listener', columns: ['title'], filter: own, check: '{"id": {"_lt": 1000}}' }],
  ['DeletePermission', { table: album, role: 'listener', filter: own, comment: 'Their own' }],
  ['EventTrigger', { table: album, name: 'on_album', webhook: 'http://127.0.0.1:9/', insert: { all_columns: true, columns: null, payload: null }, update: { all_columns: null, columns: ['title'], payload: null }, retry_conf: { num_retries: 3, interval_sec: 5, timeout_sec: 30, no_timeout: null } }],
  ['Action', { name: 'shout', handler: 'http://127.0.0.1:9/shout', arguments: [{ name: 'words', type: '[String!]!', description: null }], output_type: 'String', comment: 'Louder' }],
] // biome-ignore format: an object a line

export const tenDrafts: readonly Drafted[] = declared.map(([kind, values], id) => ({
  id: id + 1,
  kind,
  values,
  removes: false,
}))
