import { randomBytes } from 'node:crypto'
import { isRecord, type JsonObject } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { SandboxError } from './problem.ts'

/** The role that owns what a project makes: no superuser, no other roles, no other databases. */
export interface ProjectOwner {
  /** The URL of a database, as this role. */
  urlOf(database: string): string
}

/** Makes the role, and keeps it out of the engine's own database. Throws ClientError, SandboxError. */
export async function makeOwner(client: MetadataClient): Promise<ProjectOwner> {
  const own = await ownUrl(client)
  const password = randomBytes(24).toString('base64url')
  await run(client, [
    `CREATE ROLE project LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 60 PASSWORD '${password}'`,
    'GRANT project TO svc WITH INHERIT FALSE, SET TRUE',
    'REVOKE CONNECT ON DATABASE svc FROM PUBLIC',
  ])
  return {
    urlOf(database) {
      const url = new URL(own)
      url.username = 'project'
      url.password = password
      url.pathname = database
      return url.href
    },
  }
}

/**
 * A database for each source, named after `prefix` and owned by the role. The URLs by source; sources that name one database
 * share one. Throws ClientError.
 */
export async function makeDatabases(
  client: MetadataClient,
  owner: ProjectOwner,
  sources: readonly JsonObject[],
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const databases = [...new Set(sources.map(placeOf))]
  const names = databases.map((_, at) => `${prefix}_${at + 1}`)
  await run(
    client,
    names.map((name) => `CREATE DATABASE ${name} OWNER project`),
  )
  return new Map(
    sources.map((source) => [String(source.name), owner.urlOf(names[databases.indexOf(placeOf(source))] ?? '')]),
  )
}

const placeOf = ({ configuration }: JsonObject): string =>
  JSON.stringify(
    isRecord(configuration) && isRecord(configuration.connection_info)
      ? configuration.connection_info.database_url
      : null,
  )

/** Of the database that the engine made for itself: the source that it begins with. */
async function ownUrl(client: MetadataClient): Promise<string> {
  const { body } = await client.send({ type: 'export_metadata', args: {} })
  const found = /"database_url":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
  if (found === undefined) throw new SandboxError('the engine of the sandbox has no database')
  return found
}

/** No database is made within a transaction. */
async function run(client: MetadataClient, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return
  const args = {
    source: 'default',
    sql: statements.join(';\n'),
    no_transaction: true,
    check_metadata_consistency: false,
  }
  await client.query({ type: 'run_sql', args })
}
