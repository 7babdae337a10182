import { type Json, type JsonObject, parseExactly } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import type { InputDeclaration, Inputs } from './attributes-of.ts'
import type { Codec } from './define-resource.ts'
import { isObject } from './in-table.ts'
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

/** Attributes of a connection that stand below `database_url` in the metadata. */
const urlKeys = {
  database_url_from_env: 'from_env',
  database_url_from_file: 'dynamic_from_file',
  connection_parameters: 'connection_parameters',
} as const
const urlAttributes = Object.entries(urlKeys)
const ways = ['database_url', ...Object.keys(urlKeys)]

function encodeConnection(json: Json, path: Path): Json {
  if (!isObject(json)) return json
  const given = ways.filter((name) => Object.hasOwn(json, name))
  if (given.length !== 1) {
    const [, second] = given
    const list = ways.map((name) => `\`${name}\``).join(', ')
    throw second === undefined
      ? new InvalidValue(path, `one of ${list} must be given`)
      : new InvalidValue([...path, second], `only one of ${list} may be given`)
  }
  const others = Object.entries(json).filter(([key]) => !ways.includes(key))
  const below = urlAttributes.flatMap(([name, key]) => (json[name] === undefined ? [] : [[key, json[name]] as const]))
  return { database_url: json.database_url ?? Object.fromEntries(below), ...Object.fromEntries(others) }
}

function decodeConnection(json: Json): Json {
  if (!isObject(json)) return json
  const { database_url: url, ...others } = json
  if (!isObject(url)) return json
  const below = urlAttributes.flatMap(([name, key]) => (url[key] === undefined ? [] : [[name, url[key]] as const]))
  return { ...Object.fromEntries(below), ...others }
}

function connectionPath(path: Path): Path {
  const [head, key, ...rest] = path
  const found = head === 'database_url' ? urlAttributes.find(([, one]) => one === key) : undefined
  return found ? [found[0], ...rest] : path
}

const items = (json: Json | undefined, change: (item: Json, index: number) => Json): Json | undefined =>
  Array.isArray(json) ? json.map(change) : json

const inMember = (json: Json, change: (connection: Json) => Json): Json =>
  isObject(json) && json.connection_info !== undefined
    ? { ...json, connection_info: change(json.connection_info) }
    : json

/** Of the attributes `read_replicas` and `connection_set`. */
export const connectionCodecs: Readonly<Record<'read_replicas' | 'connection_set', Codec>> = {
  read_replicas: {
    encode: (json) => items(json, (item, i) => encodeConnection(item, ['read_replicas', i])),
    decode: (json) => items(json, decodeConnection),
    decodePath: (path) => [...path.slice(0, 1), ...connectionPath(path.slice(1))],
  },
  connection_set: {
    encode: (json) =>
      items(json, (item, i) =>
        inMember(item, (one) => encodeConnection(one, ['connection_set', i, 'connection_info'])),
      ),
    decode: (json) => items(json, (item) => inMember(item, decodeConnection)),
    decodePath: (path) =>
      path[1] === 'connection_info' ? [...path.slice(0, 2), ...connectionPath(path.slice(2))] : path,
  },
}

/** Upgrades a state of when these were JSON in the spelling of the metadata: a text for some tools, a value for others. */
export function connectionsOfJson(state: JsonObject): JsonObject {
  const { read_replicas, connection_set, connection_template } = state
  const made = {
    read_replicas: connectionCodecs.read_replicas.decode?.(parsed(read_replicas)),
    connection_set: connectionCodecs.connection_set.decode?.(parsed(connection_set)),
    connection_template: parsed(connection_template),
  }
  const given = Object.entries(made).flatMap(([key, json]) => (json === undefined ? [] : [[key, json] as const]))
  return { ...state, ...Object.fromEntries(given) }
}

const parsed = (json: Json | undefined): Json | undefined =>
  typeof json === 'string' ? (parseExactly(json) as Json) : json
