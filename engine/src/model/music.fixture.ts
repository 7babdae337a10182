/** A small music store as a database would describe it, for the tests of this module. */
import { isRecord, type JsonObject, type MetadataDocument, readMetadata } from '@svc/schema'
import {
  type Backend,
  type DatabaseColumn,
  type DatabaseTable,
  type ForeignKey,
  type Introspection,
  postgres as realPostgres,
  type SourceConnection,
} from '../backends/index.ts'
import type { DatabaseType } from '../ir/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { ModelInput } from './model-settings.ts'
import { tableOwn } from './table-id.ts'

export const baseType = (name: string): DatabaseType => ({ schema: 'pg_catalog', name, kind: 'base', array: false })

/** `'int4 not null'`, `'text'`, `'int4 not null generated'`. */
function column(name: string, position: number, text: string): DatabaseColumn {
  const [type = 'text', ...words] = text.split(' ')
  return {
    name,
    position,
    type: baseType(type),
    nullable: !words.includes('not'),
    hasDefault: false,
    generated: words.includes('generated') ? 'stored' : 'never',
    description: null,
  }
}

export interface TableSketch {
  readonly columns: Readonly<Record<string, string>>
  readonly key?: readonly string[]
  /** Own columns -> table and its columns: `{ artist_id: 'artist.id' }`; several joined by `,`. */
  readonly references?: Readonly<Record<string, string>>
  readonly description?: string
}

/** `name` or `schema.name`. */
export function databaseTable(name: string, sketch: TableSketch): DatabaseTable {
  return {
    table: nameOf(name),
    kind: 'table',
    description: sketch.description ?? null,
    columns: Object.entries(sketch.columns).map(([own, text], i) => column(own, i + 1, text)),
    primaryKey: sketch.key ? { constraint: `${name.replace(/\W/g, '_')}_pkey`, columns: sketch.key } : null,
    uniqueKeys: [],
    foreignKeys: Object.entries(sketch.references ?? {}).map(([from, to]) => foreignKey(name, from, to)),
    insertable: true,
    updatable: true,
    deletable: true,
    fingerprint: JSON.stringify(sketch),
    oid: name,
  }
}

function nameOf(text: string) {
  const [schema, name] = text.split('.')
  return name === undefined ? { schema: 'public', name: text } : { schema: schema ?? '', name }
}

function foreignKey(table: string, from: string, to: string): ForeignKey {
  const [target = '', columns = ''] = to.split(':')
  const targets = columns.split(',')
  return {
    constraint: `${table}_${from.replace(/ .*/, '')}_${from.includes(' ') ? 'again' : 'fkey'}`,
    oid: `${table}_${from}`,
    target: nameOf(target),
    columns: from
      .replace(/ .*/, '')
      .split(',')
      .map((own, i) => ({ from: own, to: targets[i] ?? '' })),
  }
}

export const music: Readonly<Record<string, TableSketch>> = {
  artist: { columns: { id: 'int4 not null', name: 'text not null', email: 'text', born: 'date' }, key: ['id'] },
  album: {
    columns: { id: 'int4 not null', title: 'text not null', artist_id: 'int4 not null', producer_id: 'int4' },
    key: ['id'],
    references: { artist_id: 'artist:id', producer_id: 'artist:id' },
  },
  track: {
    columns: { id: 'int8 not null', name: 'text', album_id: 'int4', price: 'numeric', data: 'jsonb', notes: 'json' },
    key: ['id'],
    references: { album_id: 'album:id' },
  },
  'shop.sale': {
    columns: { id: 'int4 not null', track_id: 'int8 not null', buyer: 'text', total: 'numeric not null generated' },
    key: ['id'],
    references: { track_id: 'track:id' },
  },
}

export function introspection(sketches: Readonly<Record<string, TableSketch>>): Introspection {
  const tables = Object.entries(sketches).map(([name, sketch]) => databaseTable(name, sketch))
  return { tables: new Map(tables.map((table) => [tableOwn(table.table), table])), serverVersion: 150000 }
}

/** The model never talks to a database, nor makes SQL: asked for more than types, this fails. */
const noConnection = refusing<SourceConnection>({})
const { kind, system, kinds, types, enumShape, failures } = realPostgres
const refuse = (): never => {
  throw new Error('the model asked for SQL or a source')
}
const postgres: Backend = { kind, system, kinds, types, enumShape, failures, compileQuery: refuse, source: refuse }

function refusing<T extends object>(known: Partial<T>): T {
  return new Proxy(known as T, {
    get(target, key) {
      if (Object.hasOwn(target, key)) return target[key as keyof T]
      throw new Error(`the model asked for ${String(key)}`)
    },
  })
}

export const ready = (name: string, of: Introspection): SourceState => ({
  status: 'ready',
  name,
  backend: postgres,
  configuration: {},
  introspection: of,
  enums: new Map(),
  functions: new Map(),
  queries: { checked: new Map(), types: new Map() },
  connection: noConnection,
})

export const unavailable = (name: string, message: string): SourceState => ({
  status: 'unavailable',
  name,
  backend: postgres,
  configuration: {},
  enums: new Map(),
  functions: new Map(),
  queries: { checked: new Map(), types: new Map() },
  reason: 'Inconsistent object: connection error',
  message,
})

/** A document of one source `default` with these tables, or of whole sources. */
export function documentOf(metadata: readonly JsonObject[] | JsonObject): MetadataDocument {
  const json = isRecord(metadata)
    ? metadata
    : { version: 3, sources: [sourceOf('default', metadata as readonly JsonObject[])] }
  const read = readMetadata(json)
  if (!read.ok) throw new Error(`${read.issue.path.join('.')}: ${read.issue.message}`)
  return read.document
}

export const sourceOf = (name: string, tables: readonly JsonObject[]): JsonObject => ({
  name,
  kind: 'postgres',
  tables,
  configuration: { connection_info: { database_url: 'postgres://localhost/music' } },
})

export const settings = { stringifyNumericTypes: false, inferFunctionPermissions: true }

export const inputOf = (
  metadata: readonly JsonObject[] | JsonObject,
  sketches: Readonly<Record<string, TableSketch>> = music,
): ModelInput => ({
  document: documentOf(metadata),
  sources: new Map([['default', ready('default', introspection(sketches))]]),
  settings,
})
