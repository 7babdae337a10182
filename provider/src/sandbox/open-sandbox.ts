import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultKind, isRecord, type Json, type JsonObject, type MetadataDocument, writeDeclared } from '@svc/schema'
import { ClientError, createMetadataClient, type MetadataClient } from '../client/index.ts'
import { shown } from '../directory/index.ts'
import { readMigrations } from '../migrations/index.ts'
import { makeDatabases } from './make-databases.ts'
import type { Problem } from './problem.ts'
import { isServed, recordingName, sandboxDocument } from './sandbox-document.ts'
import { startSandboxEngine } from './start-engine.ts'

/** What a sandbox is made of. Paths are absolute. */
export interface SandboxProject {
  readonly document: MetadataDocument
  readonly migrations: string
  readonly seeds: string
  /** Recorded introspections of remote schemas. */
  readonly introspections: string
}

export interface Sandbox {
  readonly client: MetadataClient
  /** Migrations and seeds that failed; what came after them was not run. */
  readonly problems: readonly Problem[]
  /** Objects that the engine cannot serve. */
  readonly inconsistent: readonly JsonObject[]
  /** Sources that no sandbox has a database for. */
  readonly leftOut: readonly string[]
  /** Makes the metadata that of another document; its sources are those of the project. Returns what is inconsistent. */
  serve(document: MetadataDocument): Promise<readonly JsonObject[]>
  close(): Promise<void>
}

/** Starts an engine, runs migrations and seeds, and serves the metadata. Throws SandboxError, DirectoryError, ClientError. */
export async function openSandbox(project: SandboxProject, signal: AbortSignal): Promise<Sandbox> {
  const engine = await startSandboxEngine(signal)
  const client = createMetadataClient({
    endpoint: engine.url,
    adminSecret: engine.adminSecret,
    actor: 'svc sandbox',
    userAgent: 'svc-sandbox',
    signal,
  })
  try {
    const declared = writeDeclared(project.document)
    const sources = records(declared.sources).filter(isServed)
    const urls = await makeDatabases(client, sources)
    for (const { name } of records(declared.remote_schemas)) {
      const file = `${recordingName(String(name))}.json`
      await copyFile(join(project.introspections, file), join(engine.recordings, file)).catch(() => {})
    }
    const serve = (document: JsonObject) => replaceMetadata(client, sandboxDocument(document, urls).json)
    await serve({ version: 3, sources: sources.map(({ tables: _, functions: __, ...bare }) => bareSource(bare)) })
    const problems: Problem[] = []
    for (const { name } of sources) {
      const problem = await fill(client, project, String(name))
      if (problem) problems.push(problem)
    }
    return {
      client,
      problems,
      inconsistent: await serve(declared),
      leftOut: sandboxDocument(declared, urls).leftOut,
      serve: (document) => serve(writeDeclared(document)),
      close: engine.close,
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

const records = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isRecord) : []

const bareSource = ({ name, kind = defaultKind, configuration = {} }: JsonObject): JsonObject => ({
  name: String(name),
  kind,
  configuration,
  tables: [],
})

async function replaceMetadata(client: MetadataClient, metadata: JsonObject): Promise<readonly JsonObject[]> {
  const { body } = await client.send({
    type: 'replace_metadata',
    version: 2,
    args: { allow_inconsistent_metadata: true, metadata },
  })
  return isRecord(body) ? records(body.inconsistent_objects) : []
}

/** Migrations, then seeds, until one fails. */
async function fill(client: MetadataClient, project: SandboxProject, source: string): Promise<Problem | null> {
  for (const { folder, up } of await readMigrations(project.migrations, source)) {
    const problem = await runFile(client, source, 'migration', join(folder, 'up.sql'), up)
    if (problem) return problem
  }
  for (const file of await seedFiles(join(project.seeds, source))) {
    const problem = await runFile(client, source, 'seed', file, await readFile(file, 'utf8'))
    if (problem) return problem
  }
  return null
}

const seedFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name))

async function runFile(
  client: MetadataClient,
  source: string,
  kind: 'migration' | 'seed',
  file: string,
  sql: string,
): Promise<Problem | null> {
  const noTransaction = /^-- svc: no transaction$/m.test(sql)
  const args = { source, sql, check_metadata_consistency: false, ...(noTransaction && { no_transaction: true }) }
  try {
    await client.query({ type: 'run_sql', args })
    return null
  } catch (error) {
    if (!(error instanceof ClientError) || !error.body) throw error
    return { kind, file: shown(file), ...placeOf(error.body.internal, sql), message: error.body.error }
  }
}

/** PostgreSQL counts characters of the statement it was sent. */
function placeOf(internal: unknown, sql: string): { readonly line: number | null } {
  const error = isRecord(internal) && isRecord(internal.error) ? internal.error : {}
  const position = Number(error.position)
  return { line: position > 0 ? sql.slice(0, position).split('\n').length : null }
}
