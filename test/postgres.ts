/**
 * A real PostgreSQL for every test: `const database = await createTestDatabase(t)`.
 *
 * Databases are made on the server of SVC_TEST_DATABASE_URL (a superuser's; `npm test` starts one and sets it,
 * set it yourself to test against another). A test file run alone starts the embedded PostgreSQL for itself.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startPostgres } from './postgres-server.ts'

export type TestDatabase = {
  /** postgres://superuser:password@host:port/name */
  readonly url: string
  /** Ends the connections to the database and drops it. A second call does nothing. */
  drop(): Promise<void>
}

/** Whatever ends with something to clean up: a node:test context. */
type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** Makes a new, empty database. It is dropped after the test `t`, or by `drop`, or when the process ends. */
export async function createTestDatabase(t?: WithAfter): Promise<TestDatabase> {
  const server = await serverUrl()
  const name = `svc_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await runOnServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async () => {
    if (!remaining.delete(drop)) return
    await stopUsers(url.href)
    await runOnServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  remaining.add(drop)
  t?.after(drop)
  return { url: url.href, drop }
}

const users = new Map<string, (() => Promise<unknown>)[]>()

/**
 * What uses the database is stopped before it is dropped: node runs what comes after a test in the order in which it was
 * registered, and an engine without its database tries for a minute to store what it has in hand.
 */
export function stopBeforeDrop(url: string, stop: () => Promise<unknown>): void {
  users.set(url, [...(users.get(url) ?? []), stop])
}

/** Stops what was registered for the database of `url`. */
async function stopUsers(url: string): Promise<void> {
  await Promise.all((users.get(url) ?? []).map((stop) => stop()))
  users.delete(url)
}

const remaining = new Set<() => Promise<void>>()
process.once('beforeExit', async () => {
  for (const drop of remaining) await drop()
})

let server: Promise<string> | undefined

function serverUrl(): Promise<string> {
  server ??= process.env.SVC_TEST_DATABASE_URL
    ? Promise.resolve(process.env.SVC_TEST_DATABASE_URL)
    : startPostgres().then(({ url }) => url)
  return server
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
