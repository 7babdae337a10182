import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { InvalidValue } from './attribute-json.ts'
import { type Codec, defineSource } from './define-resource.ts'
import { isObject } from './in-table.ts'
import { customization, healthCheck, sourceName, sourceOperations } from './source-parts.ts'
import type { Path } from './value.ts'

const connectionInfo = 'configuration.connection_info'
const url = `${connectionInfo}.connection_string`

const isolation = z
  .enum(['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable', 'snapshot'])
  .optional()
  .meta({ description: 'Of transactions; `read-committed` if it is not given.', typeName: 'MssqlIsolationLevel' })

const pool = z
  .object({
    max_connections: z
      .int()
      .optional()
      .meta({ description: 'Most connections of one instance of the engine; 50 if it is not given.' }),
    total_max_connections: z.int().optional().meta({ description: 'Most connections of all instances together.' }),
    idle_timeout: z
      .number()
      .optional()
      .meta({ description: 'Seconds after which an idle connection is closed; 5 if it is not given.' }),
    enable: z.boolean().optional().meta({ description: 'False: each transaction opens a connection of its own.' }),
  })
  .meta({ typeName: 'MssqlPoolSettings' })

const replica = z
  .object({
    connection_string: z.string().optional().meta({ description: 'Connection string.', sensitive: true }),
    connection_string_from_env: z
      .string()
      .optional()
      .meta({ description: "Variable of the engine's environment that holds the connection string." }),
    isolation_level: isolation,
    pool_settings: pool.optional().meta({ description: 'Sizes and times of the pool.' }),
  })
  .meta({
    typeName: 'MssqlConnection',
    description: 'Either `connection_string` or `connection_string_from_env` is given.',
  })

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
      connection_string: z.string().optional().meta({
        description: 'ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`.',
        sensitive: true,
        at: url,
      }),
      connection_string_from_env: z
        .string()
        .optional()
        .meta({
          description: "Variable of the engine's environment that holds the connection string.",
          at: `${url}.from_env`,
        }),
      connection_string_wo: z.string().optional().meta({
        description:
          'Connection string that is stored in no state and no plan. Sent when the source is made and when `connection_string_wo_version` changes.',
        sensitive: true,
        writeOnly: true,
        at: url,
      }),
      connection_string_wo_version: z.int().optional().meta({
        description: 'Any number; a change sends `connection_string_wo` again.',
        at: null,
      }),
      isolation_level: isolation.meta({
        description: 'Of transactions; `read-committed` if it is not given.',
        at: `${connectionInfo}.isolation_level`,
      }),
      pool_settings: pool
        .optional()
        .meta({ description: 'Sizes and times of the pool.', at: `${connectionInfo}.pool_settings` }),
      read_replicas: z.array(replica).min(1, 'must not be empty').optional().meta({
        description: 'Connections to copies of the database. They are kept; all requests use the database itself.',
        at: 'configuration.read_replicas',
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
