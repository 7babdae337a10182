/** A small music store as a real model over described tables, for the tests of graphql and execute. */
import { type JsonObject, readMetadata } from '@svc/schema'
import {
  type DatabaseTable,
  type Introspection,
  postgres,
  type SourceConnection,
  type TypeSystem,
} from '../backends/index.ts'
import type { DatabaseType } from '../ir/index.ts'
import { type Model, updateModel } from '../model/index.ts'

const baseType = (name: string, array = false): DatabaseType => ({ schema: 'pg_catalog', name, kind: 'base', array })

interface Sketch {
  /** `'int4 not null'`, `'text[]'` */
  readonly columns: Readonly<Record<string, string>>
  readonly key: readonly string[]
  /** Own column -> table; all keys are called id. */
  readonly references?: Readonly<Record<string, string>>
}

function databaseTable(name: string, { columns, key, references = {} }: Sketch): DatabaseTable {
  return {
    table: { schema: 'public', name },
    kind: 'table',
    description: null,
    columns: Object.entries(columns).map(([column, text], i) => ({
      name: column,
      position: i + 1,
      type: baseType((text.split(' ')[0] ?? '').replace('[]', ''), text.includes('[]')),
      nullable: !text.includes('not null'),
      hasDefault: false,
      generated: 'never',
      description: null,
    })),
    primaryKey: { constraint: `${name}_pkey`, columns: key },
    uniqueKeys: [],
    foreignKeys: Object.entries(references).map(([from, target]) => ({
      constraint: `${name}_${from}_fkey`,
      oid: `${name}_${from}`,
      target: { schema: 'public', name: target },
      columns: [{ from, to: 'id' }],
    })),
    insertable: true,
    updatable: true,
    deletable: true,
    fingerprint: JSON.stringify([columns, references]),
    oid: name,
  }
}

export const sketches: Readonly<Record<string, Sketch>> = {
  artist: {
    columns: {
      id: 'int4 not null',
      name: 'text not null',
      email: 'text',
      born: 'date',
      meta: 'jsonb',
      tags: 'text[]',
      fans: 'int8',
    },
    key: ['id'],
  },
  album: {
    columns: { id: 'int4 not null', title: 'text not null', artist_id: 'int4 not null' },
    key: ['id'],
    references: { artist_id: 'artist' },
  },
  track: {
    columns: { id: 'int4 not null', name: 'text', album_id: 'int4', price: 'numeric', live: 'bool' },
    key: ['id'],
    references: { album_id: 'album' },
  },
}

const permission = (role: string, columns: JsonObject['x'], filter: JsonObject, more: JsonObject = {}): JsonObject => ({
  role,
  permission: { columns: columns ?? [], filter, ...more },
})

/** `user` sees artists with e-mail, its own albums by session, no tracks; `guest` artists without root fields. */
export const tables: readonly JsonObject[] = [
  {
    table: { schema: 'public', name: 'artist' },
    array_relationships: [
      {
        name: 'albums',
        using: { foreign_key_constraint_on: { column: 'artist_id', table: { schema: 'public', name: 'album' } } },
      },
    ],
    select_permissions: [
      permission(
        'user',
        ['id', 'name', 'fans'],
        { email: { _is_null: false } },
        { limit: 50, allow_aggregations: true },
      ),
      permission('guest', ['name'], {}, { query_root_fields: [] }),
    ],
  },
  {
    table: { schema: 'public', name: 'album' },
    object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
    array_relationships: [
      {
        name: 'tracks',
        using: { foreign_key_constraint_on: { column: 'album_id', table: { schema: 'public', name: 'track' } } },
      },
    ],
    select_permissions: [permission('user', '*', { artist_id: { _eq: 'X-Svc-User-Id' } })],
  },
  {
    table: { schema: 'public', name: 'track' },
    object_relationships: [{ name: 'album', using: { foreign_key_constraint_on: 'album_id' } }],
  },
]

/** A connection that can do only this. */
export const connectionThat = (can: Partial<SourceConnection>): SourceConnection =>
  new Proxy(can as SourceConnection, {
    get: (target, key) => {
      if (key in target) return Reflect.get(target, key)
      throw new Error(`a test without a database asked for ${String(key)}`)
    },
  })

const noConnection = connectionThat({})

export interface StoreOptions {
  /** Absent: those of PostgreSQL. */
  readonly types?: TypeSystem
  readonly tables?: readonly JsonObject[]
  readonly sketches?: Readonly<Record<string, Sketch>>
  readonly connection?: SourceConnection
  readonly previous?: Model
}

export function storeModel(options: StoreOptions = {}): Model {
  const read = readMetadata({
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        tables: options.tables ?? tables,
        configuration: { connection_info: { database_url: 'postgres://localhost/store' } },
      },
    ],
  })
  if (!read.ok) throw new Error(`${read.issue.path.join('.')}: ${read.issue.message}`)
  return updateModel(options.previous ?? null, {
    document: read.document,
    sources: new Map([
      [
        'default',
        {
          status: 'ready',
          name: 'default',
          backend: { ...postgres, types: options.types ?? postgres.types },
          configuration: {},
          introspection: introspection(options.sketches ?? sketches),
          enums: new Map(),
          functions: new Map(),
          queries: { checked: new Map(), types: new Map() },
          connection: options.connection ?? noConnection,
        },
      ],
    ]),
    settings: { stringifyNumericTypes: false, inferFunctionPermissions: true },
  })
}

const introspection = (of: Readonly<Record<string, Sketch>>): Introspection => ({
  tables: new Map(Object.entries(of).map(([name, sketch]) => [`public.${name}`, databaseTable(name, sketch)])),
  serverVersion: 150000,
})
