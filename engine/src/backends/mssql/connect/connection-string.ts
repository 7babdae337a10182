import { UnresolvedConfiguration } from '../../source-configuration.ts'

/** What an ODBC connection string says of a server, as far as a client without a driver manager can follow it. */
export interface ServerAddress {
  readonly server: string
  /** Null: the server's default, 1433, or what the SQL Server Browser says of an instance. */
  readonly port: number | null
  readonly instance: string | null
  /** Null: the login's own. */
  readonly database: string | null
  readonly user: string
  readonly password: string
  readonly encrypt: boolean | 'strict'
  readonly trustServerCertificate: boolean
  /** The name that the server's certificate has to have, where it is another than the server's. */
  readonly certificateName: string | null
  /** Seconds. */
  readonly connectTimeout: number
  readonly multiSubnetFailover: boolean
  readonly readOnly: boolean
  readonly application: string | null
}

/**
 * Reads an ODBC connection string (docs/sql-server.md#connection-strings). Throws UnresolvedConfiguration with what is wrong
 * with it, which never quotes a password.
 */
export function parseConnectionString(text: string): ServerAddress {
  const attributes = readAttributes(text)
  const get = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = attributes.get(name)
      if (value !== undefined && value !== '') return value
    }
    return null
  }
  refuseOtherLogins(get)
  const server = get('server', 'address', 'addr', 'network address', 'data source')
  const user = get('uid', 'user id', 'user')
  if (server === null) throw wrong('Server is missing')
  if (user === null) throw wrong('Uid is missing: a login of SQL Server with a password is needed')
  return {
    ...serverOf(server),
    database: get('database', 'initial catalog'),
    user,
    password: get('pwd', 'password') ?? '',
    encrypt: encryptionOf(get('encrypt')),
    trustServerCertificate: flag('TrustServerCertificate', get('trustservercertificate', 'trust server certificate')),
    certificateName: get('hostnameincertificate'),
    connectTimeout: seconds('Connection Timeout', get(...timeouts)) ?? DEFAULT_TIMEOUT,
    multiSubnetFailover: flag('MultiSubnetFailover', get('multisubnetfailover')),
    readOnly: intentOf(get('applicationintent')),
    application: get('app', 'application name'),
  }
}

/** Seconds that a connection may take to be opened. */
const DEFAULT_TIMEOUT = 15
const timeouts = ['connection timeout', 'connect timeout', 'timeout', 'login timeout', 'logintimeout']

const wrong = (what: string) => new UnresolvedConfiguration(`the connection string is not valid: ${what}`)

/** Keywords in lower case; of a keyword that occurs twice the first value counts, as ODBC has it. */
function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const equals = text.indexOf('=', at)
    const end = text.indexOf(';', at)
    const keyword = text.slice(at, equals < 0 ? undefined : equals).trim()
    if (equals < 0 || (end >= 0 && end < equals)) {
      if (text.slice(at, end < 0 ? undefined : end).trim() !== '') throw wrong('a part of it is no keyword=value')
      if (end < 0) break
      at = end + 1
      continue
    }
    if (keyword === '') throw wrong('a value has no keyword before its =')
    const { value, next } = readValue(text, equals + 1, keyword)
    const key = keyword.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, value)
    at = next
  }
  return attributes
}

/** A value in braces may hold anything; a closing brace in it is doubled. */
function readValue(text: string, from: number, keyword: string): { readonly value: string; readonly next: number } {
  let at = from
  while (text[at] === ' ') at++
  if (text[at] !== '{') {
    const end = text.indexOf(';', at)
    return end < 0
      ? { value: text.slice(at).trim(), next: text.length }
      : { value: text.slice(at, end).trim(), next: end + 1 }
  }
  let value = ''
  for (at++; ; at++) {
    if (at >= text.length) throw wrong(`the { of ${keyword} is not closed`)
    if (text[at] === '}') {
      if (text[at + 1] !== '}') break
      at++
    }
    value += text[at]
  }
  at++
  while (text[at] === ' ') at++
  if (at < text.length && text[at] !== ';') throw wrong(`something stands between the } of ${keyword} and the next ;`)
  return { value, next: at + 1 }
}

/** `tcp:host,port`, `host\instance`; `(local)` and `.` are this machine. */
function serverOf(text: string): Pick<ServerAddress, 'server' | 'port' | 'instance'> {
  const protocol = /^(tcp|np|lpc|admin|via):/i.exec(text)?.[1]?.toLowerCase()
  if (protocol !== undefined && protocol !== 'tcp')
    throw wrong(`Server names the protocol ${protocol}: only tcp is known`)
  const rest = text.slice(protocol === undefined ? 0 : protocol.length + 1).trim()
  const {
    host = '',
    instance = null,
    port = null,
  } = /^(?<host>[^\\,]*)(\\(?<instance>[^,]*))?(,(?<port>.*))?$/s.exec(rest)?.groups ?? {}
  const name = host.trim().replace(/^\[(.*)\]$/, '$1')
  if (name === '') throw wrong('Server names no host')
  if (port !== null && !isPort(port.trim())) throw wrong('the port in Server is no number from 1 to 65535')
  if (instance !== null && instance.trim() === '') throw wrong('Server has a \\ without an instance')
  return {
    server: ['.', '(local)'].includes(name.toLowerCase()) ? 'localhost' : name,
    port: port === null ? null : Number(port),
    // a port says all that the name of an instance is needed for
    instance: port === null && instance?.trim().toUpperCase() !== 'MSSQLSERVER' ? (instance?.trim() ?? null) : null,
  }
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535

function refuseOtherLogins(get: (...names: readonly string[]) => string | null): void {
  for (const name of ['trusted_connection', 'integrated security']) {
    const value = get(name)?.toLowerCase()
    if (value !== undefined && !['no', 'false'].includes(value))
      throw wrong('Trusted_Connection is not supported: a login of SQL Server (Uid, Pwd) is needed')
  }
  const authentication = get('authentication')
  if (authentication !== null && authentication.toLowerCase() !== 'sqlpassword')
    throw wrong('Authentication is not supported but for SqlPassword')
  for (const name of ['dsn', 'filedsn'])
    if (get(name) !== null) throw wrong(`${name.toUpperCase()} is not supported: there is no driver manager`)
}

function encryptionOf(text: string | null): ServerAddress['encrypt'] {
  switch (text?.toLowerCase() ?? 'yes') {
    case 'yes':
    case 'true':
    case 'mandatory':
      return true
    case 'no':
    case 'false':
    case 'optional':
      return false
    case 'strict':
      return 'strict'
  }
  throw wrong('Encrypt is none of yes, mandatory, no, optional and strict')
}

function intentOf(text: string | null): boolean {
  switch (text?.toLowerCase() ?? 'readwrite') {
    case 'readonly':
      return true
    case 'readwrite':
      return false
  }
  throw wrong('ApplicationIntent is neither ReadOnly nor ReadWrite')
}

function flag(name: string, text: string | null): boolean {
  switch (text?.toLowerCase() ?? 'no') {
    case 'yes':
    case 'true':
      return true
    case 'no':
    case 'false':
      return false
  }
  throw wrong(`${name} is neither yes nor no`)
}

function seconds(name: string, text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{1,6}$/.test(text)) throw wrong(`${name} is no number of seconds`)
  return Number(text)
}
