import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import type { InputDeclaration, Inputs } from './attributes-of.ts'
import type { Codec } from './define-resource.ts'
import { defined, eachRecord, parsedJson } from './in-table.ts'
import type { Path } from './value.ts'

const fromEnvironment = (description: string): InputDeclaration => ({
  description,
  of: { from_env: "Name of a variable of the engine's environment." },
})

/** Where a database is, in one of several ways. */
export const connectionWays: Inputs = {
  database_url: {
    description: 'Connection string. May name variables of the engine: `{{PG_URL}}`.',
    sensitive: true,
    optional: true,
  },
  database_url_from_env: {
    description: "Variable of the engine's environment that holds the connection string.",
    at: 'database_url.from_env',
  },
  database_url_from_file: {
    description: 'File on the machine of the engine that holds the connection string and may change.',
    at: 'database_url.dynamic_from_file',
  },
  connection_parameters: {
    description: 'The connection string in parts.',
    at: 'database_url.connection_parameters',
    typeName: 'SourceConnectionParameters',
    of: {
      username: 'User of the database.',
      password: { description: 'Password of that user.', sensitive: true },
      host: 'Host of the database.',
      port: 'Port of the database.',
      database: 'Name of the database.',
    },
  },
}

/** How it is used. */
export const connectionUse: Inputs = {
  isolation_level: { description: 'Of transactions.', typeName: 'SourceIsolationLevel' },
  pool_settings: {
    description: 'Sizes and times of the pool.',
    typeName: 'SourcePoolSettings',
    of: {
      max_connections: 'Most connections of one instance of the engine.',
      total_max_connections: 'Most connections of all instances together.',
      idle_timeout: 'Seconds after which an idle connection is closed.',
      retries: 'How often a connection is tried again.',
      pool_timeout: 'Seconds to wait for a free connection.',
      connection_lifetime: 'Seconds after which a connection is replaced; 0: never.',
    },
  },
  ssl_configuration: {
    description: 'TLS to the database.',
    typeName: 'SourceSslConfiguration',
    of: {
      sslmode: 'As in a connection string: `disable`, `require`, `verify-full` …',
      sslrootcert: fromEnvironment('Certificates to trust.'),
      sslcert: fromEnvironment("The client's certificate."),
      sslkey: fromEnvironment("The key of the client's certificate."),
      sslpassword: fromEnvironment('The password of that key.'),
    },
  },
  use_prepared_statements: 'Whether statements are prepared.',
}

/** A further connection of a source: what a source says of its own one, in one object. */
export const connection = { typeName: 'SourceConnection', of: { ...connectionWays, ...connectionUse } }

/** One key of a connection in the metadata that says where its database is, and what stands below that key by the attributes. */
interface Ways {
  readonly key: string
  readonly below: Readonly<Record<string, string>>
}

const ways: Ways = {
  key: 'database_url',
  below: {
    database_url_from_env: 'from_env',
    database_url_from_file: 'dynamic_from_file',
    connection_parameters: 'connection_parameters',
  },
}

function encodeConnection({ key, below }: Ways, json: JsonObject, path: Path): Json {
  const names = [key, ...Object.keys(below)]
  const [first, second] = names.filter((name) => Object.hasOwn(json, name))
  const list = names.map((name) => `\`${name}\``).join(', ')
  if (first === undefined) throw new InvalidValue(path, `one of ${list} must be given`)
  if (second !== undefined) throw new InvalidValue([...path, second], `only one of ${list} may be given`)
  const others = Object.entries(json).filter(([name]) => !names.includes(name))
  const parts = Object.entries(below).map(([name, part]) => [part, json[name]] as const)
  return { [key]: json[key] ?? defined(Object.fromEntries(parts)), ...Object.fromEntries(others) }
}

function decodeConnection({ key, below }: Ways, json: JsonObject): Json {
  const { [key]: given, ...others } = json
  if (!isRecord(given)) return json
  return {
    ...defined(Object.fromEntries(Object.entries(below).map(([name, part]) => [name, given[part]]))),
    ...others,
  }
}

function connectionPath({ key, below }: Ways, path: Path): Path {
  const [head, part, ...rest] = path
  const found = head === key ? Object.entries(below).find(([, one]) => one === part) : undefined
  return found ? [found[0], ...rest] : path
}

/** Of the attribute `read_replicas`. */
export const replicasCodec = (of: Ways): Codec => ({
  encode: (json) => eachRecord(json, (item, i) => encodeConnection(of, item, ['read_replicas', i])),
  decode: (json) => eachRecord(json, (item) => decodeConnection(of, item)),
  decodePath: (path) => [...path.slice(0, 1), ...connectionPath(of, path.slice(1))],
})

const inMember = (json: JsonObject, change: (connection: JsonObject) => Json): Json =>
  isRecord(json.connection_info) ? { ...json, connection_info: change(json.connection_info) } : json

/** Of the attributes `read_replicas` and `connection_set`. */
export const connectionCodecs: Readonly<Record<'read_replicas' | 'connection_set', Codec>> = {
  read_replicas: replicasCodec(ways),
  connection_set: {
    encode: (json) =>
      eachRecord(json, (item, i) =>
        inMember(item, (one) => encodeConnection(ways, one, ['connection_set', i, 'connection_info'])),
      ),
    decode: (json) => eachRecord(json, (item) => inMember(item, (one) => decodeConnection(ways, one))),
    decodePath: (path) =>
      path[1] === 'connection_info' ? [...path.slice(0, 2), ...connectionPath(ways, path.slice(2))] : path,
  },
}

/** Upgrades a state of when these were JSON in the spelling of the metadata: a text for some tools, a value for others. */
export function connectionsOfJson(state: JsonObject): JsonObject {
  const { read_replicas, connection_set, connection_template } = state
  return defined({
    ...state,
    read_replicas: connectionCodecs.read_replicas.decode?.(parsedJson(read_replicas)),
    connection_set: connectionCodecs.connection_set.decode?.(parsedJson(connection_set)),
    connection_template: parsedJson(connection_template),
  })
}
