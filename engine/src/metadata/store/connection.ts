import pg from 'pg'
import { connectionUrl } from '../../backends/index.ts'
import { catalogueError, isConnectionError, NotConnected, sqlState } from './catalogue-error.ts'

/** A constant text; by its name the server caches the plan. */
export interface CatalogueStatement {
  readonly name: string
  readonly text: string
  /** May be sent again when the connection broke: it only reads. */
  readonly repeatable: boolean
  /** Milliseconds to wait for its answer, if not the usual ones: a database that hangs counts as unavailable. */
  readonly limit?: number
}

const statement =
  (repeatable: boolean) =>
  (name: string) =>
  (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): CatalogueStatement => ({
    name,
    text: String.raw({ raw: texts }, ...parts),
    repeatable,
  })

/** A named statement that may be sent again when the connection broke. */
export const repeatable = statement(true)

/** A named statement that is sent once, because it might have run although its answer did not arrive. */
export const once = statement(false)

/** Milliseconds for a statement: the log of a very large change takes some seconds on a slow machine. */
const usualLimit = 60_000

/** Rows as lists of texts, in the order of the select list. */
export type TextRow = readonly (string | null)[]

export type StatementValue = string | number | null | readonly (string | null)[]

export interface CatalogueConnection {
  /** Throws ApiError postgres-error 500. */
  run(statement: CatalogueStatement, values?: readonly StatementValue[]): Promise<readonly TextRow[]>
  /** A connection of its own, for what must not wait or share: transactions of the start, LISTEN. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly url: string
  readonly usePreparedStatements: boolean
  /** Milliseconds to wait for the server before it counts as down. */
  readonly connectTimeout?: number
}

const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/** Few connections: metadata requests of one instance wait for each other anyway. */
const poolSize = 4

/** Throws an Error when the URL cannot be read. Connects when first used. */
export function openConnection({
  url,
  usePreparedStatements,
  connectTimeout = 10_000,
}: ConnectionOptions): CatalogueConnection {
  const settings = {
    connectionString: connectionUrl(url),
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: 'svc-engine catalogue',
  }
  const pool = new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 60_000 })
  // a connection that broke leaves the pool, and the next statement opens another
  pool.on('error', () => {})
  // the pool does not notice one that breaks between its answer and its return
  pool.on('connect', (client) => client.on('error', () => {}))
  let named = usePreparedStatements

  const send = async (statement: CatalogueStatement, values: readonly StatementValue[]) => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new NotConnected('no connection to the metadata database', { cause })
    })
    try {
      const query: pg.QueryArrayConfig & { readonly query_timeout: number } = {
        ...(named && { name: statement.name }),
        text: statement.text,
        values: [...values],
        rowMode: 'array',
        types: asText,
        query_timeout: statement.limit ?? usualLimit,
      }
      const { rows } = await client.query<string[]>(query)
      client.release()
      return rows
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const run: CatalogueConnection['run'] = async (statement, values = []) => {
    try {
      return await send(statement, values)
    } catch (error) {
      if (named && isLostStatement(error)) named = false
      // one that hangs is tried once: the caller has waited long enough
      else if (!statement.repeatable || !isConnectionError(error) || isTimeout(error)) throw catalogueError(error)
    }
    try {
      return await send(statement, values)
    } catch (error) {
      throw catalogueError(error)
    }
  }

  const connect = async () => {
    const client = new pg.Client(settings)
    client.on('error', () => {})
    await client.connect()
    return client
  }

  return { run, connect, close: () => pool.end() }
}

/** Runs work with a connection of a command, which does not serve and closes it then. */
export async function withConnection<T>(
  url: string,
  work: (connection: CatalogueConnection) => Promise<T>,
): Promise<T> {
  const connection = openConnection({ url, usePreparedStatements: false })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Runs work with a client of its own. Rejects with what pg says. */
export async function withClient<T>(
  { connect }: Pick<CatalogueConnection, 'connect'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The driver's own error for `query_timeout`. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** A pooler in between hands out connections on which our names mean nothing, or something else. The statement did not run. */
const isLostStatement = (error: unknown) => ['26000', '42P05'].includes(sqlState(error) ?? '')

/** SQL of a time as the API shows it: UTC, to the second. */
export const shownTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** SQL that sends the text of `parameter`, `$1` say, to all instances. */
export const notifyText = (parameter: string): string => `pg_notify('svc_catalog', ${parameter}::text)::text`
