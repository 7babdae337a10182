import pg from 'pg'
import { EmbeddedError } from './embedded-error.ts'
import type { Passwords } from './initialise.ts'

/** Where the server takes connections: a folder with a socket, or a loopback address. */
export type Listening = { readonly host: string; readonly port: number }

export type Urls = {
  /** Of the role and database `svc`: owns its database, may make databases and roles, is no superuser. */
  readonly url: string
  readonly superuserUrl: string
}

export function urlsOf({ host, port }: Listening, passwords: Passwords): Urls {
  const at = `${encodeURIComponent(host)}:${port}`
  return {
    url: `postgresql://svc:${passwords.owner}@${at}/svc`,
    superuserUrl: `postgresql://postgres:${passwords.superuser}@${at}/postgres`,
  }
}

/** Makes the role and the database unless they are there. @throws EmbeddedError */
export async function ensureDatabase({ superuserUrl }: Urls, passwords: Passwords, log: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  client.on('error', () => {}) // what runs then fails by itself
  try {
    await client.connect()
    const { rows } = await client.query(EXISTING)
    const password = client.escapeLiteral(passwords.owner)
    if (!rows[0]?.role) await client.query(`CREATE ROLE svc LOGIN CREATEDB CREATEROLE PASSWORD ${password}`)
    if (!rows[0]?.database) await client.query('CREATE DATABASE svc OWNER svc')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmbeddedError(
      `The embedded PostgreSQL does not let the engine in: ${reason}.`,
      `Its log is ${log}.`,
      cause,
    )
  } finally {
    await client.end()
  }
}

const EXISTING = `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc') AS role,
  EXISTS (SELECT FROM pg_database WHERE datname = 'svc') AS database`
