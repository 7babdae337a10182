import type { Json } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import { type Inputs, within } from './attributes-of.ts'
import { type Codec, defineSource } from './define-resource.ts'
import { isObject } from './in-table.ts'
import { customization, healthCheck, sourceName, sourceOperations, writtenOnly } from './source-parts.ts'
import type { Path } from './value.ts'

/** Where a database is, in one of two ways. */
const ways = (description: string): Inputs => ({
  connection_string: { description, sensitive: true, optional: true },
  connection_string_from_env: {
    description: "Variable of the engine's environment that holds the connection string.",
    at: 'connection_string.from_env',
    optional: true,
  },
})

const use: Inputs = {
  isolation_level: {
    description: 'Of transactions; `read-committed` if it is not given.',
    typeName: 'MssqlIsolationLevel',
  },
  pool_settings: {
    description: 'Sizes and times of the pool.',
    typeName: 'MssqlPoolSettings',
    of: {
      max_connections: 'Most connections of one instance of the engine; 50 if it is not given.',
      total_max_connections: 'Most connections of all instances together.',
      idle_timeout: 'Seconds after which an idle connection is closed; 5 if it is not given.',
      enable: 'False: each transaction opens a connection of its own.',
    },
  },
}

const replicasCodec: Codec = {
  encode: (json) => mapped(json, (one, i) => encodeReplica(one, ['read_replicas', i])),
  decode: (json) => mapped(json, decodeReplica),
  decodePath: ([at, head, ...rest]) => {
    if (head === undefined) return at === undefined ? [] : [at]
    const isVariable = head === 'connection_string' && rest[0] === 'from_env'
    return isVariable ? [at ?? 0, 'connection_string_from_env'] : [at ?? 0, head, ...rest]
  },
}

const mapped = (json: Json | undefined, change: (one: Json, index: number) => Json): Json | undefined =>
  Array.isArray(json) ? json.map(change) : json

function encodeReplica(json: Json, path: Path): Json {
  if (!isObject(json)) return json
  const { connection_string: text, connection_string_from_env: from_env, ...others } = json
  if (text === undefined && from_env === undefined)
    throw new InvalidValue(path, 'one of `connection_string`, `connection_string_from_env` must be given')
  if (text !== undefined && from_env !== undefined)
    throw new InvalidValue(
      [...path, 'connection_string_from_env'],
      'only one of `connection_string`, `connection_string_from_env` may be given',
    )
  return { connection_string: text ?? { from_env: from_env ?? null }, ...others }
}

function decodeReplica(json: Json): Json {
  if (!isObject(json)) return json
  const { connection_string: given, ...others } = json
  return isObject(given)
    ? { ...(given.from_env !== undefined && { connection_string_from_env: given.from_env }), ...others }
    : json
}

/** A SQL Server database (reference/metadata-operations#sources). */
export const mssqlSource = defineSource(
  (family) => ({
    kind: 'MssqlSource',
    type: 'source',
    description: [
      'A SQL Server database whose tables the engine serves.',
      'What lies in it is declared as in any other source, by the `name` of this resource;',
      'tables without a schema lie in `dbo`.',
      'A new name makes a new source: everything that lies in the old one goes with it.',
    ].join(' '),
    inputs: {
      name: sourceName,
      ...within('configuration', {
        ...within('connection_info', {
          ...ways('ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`.'),
          ...writtenOnly('connection_string', 'Connection string', { at: 'connection_string' }),
          ...use,
        }),
        read_replicas: {
          description: 'Connections to copies of the database. They are kept; all requests use the database itself.',
          typeName: 'MssqlConnection',
          of: { ...ways('Connection string.'), ...use },
        },
      }),
      customization,
      health_check: healthCheck,
    },
    example: ['shop'],
    exactlyOne: [['connection_string', 'connection_string_from_env', 'connection_string_wo']],
    codecs: { read_replicas: replicasCodec },
    ...sourceOperations(family),
  }),
  'mssql',
)
