import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultKind, type JsonObject, type MetadataDocument, recordOf, recordsIn, writeDeclared } from '@svc/schema'
import { ClientError, createMetadataClient, type MetadataClient } from '../client/index.ts'
import { shown } from '../directory/index.ts'
import { readMigrations } from '../migrations/index.ts'
import { makeDatabases, makeOwner, type ProjectOwner } from './make-databases.ts'
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

/** What became of a project in a sandbox. */
interface Loaded {
  /** Migrations and seeds that failed; what came after them was not run. */
  readonly problems: readonly Problem[]
  /** Objects that the engine cannot serve. */
  readonly inconsistent: readonly JsonObject[]
  /** Sources that no sandbox has a database for. */
  readonly leftOut: readonly string[]
}

export interface Sandbox extends Loaded {
  readonly client: MetadataClient
  /** What became of the project that this one is compared with; null where there is none. */
  readonly base: Loaded | null
  /** What the project changes in the API of its base (docs/preview.md). Throws ClientError where there is no base. */
  preview(): Promise<JsonObject>
  /** Makes the metadata that of another document; its sources are those of the project. Returns what is inconsistent. */
  serve(document: MetadataDocument): Promise<readonly JsonObject[]>
  /** Throws SandboxError where it took more of the disk than it may. */
  close(): Promise<void>
}

/**
 * Starts an engine, runs migrations and seeds, and serves the metadata. With a base it does the same for that before, in
 * databases of its own. All of it may take so many megabytes of the disk. Throws SandboxError, DirectoryError, ClientError.
 */
export async function openSandbox(
  project: SandboxProject,
  signal: AbortSignal,
  { base = null, diskLimit = 2048 }: { readonly base?: SandboxProject | null; readonly diskLimit?: number } = {},
): Promise<Sandbox> {
  const engine = await startSandboxEngine(signal, diskLimit)
  const client = createMetadataClient({
    endpoint: engine.url,
    adminSecret: engine.adminSecret,
    actor: 'svc sandbox',
    userAgent: 'svc-sandbox',
    signal,
  })
  try {
    const owner = await makeOwner(client)
    const { recordings } = engine
    // before the source is replaced that the engine begins with
    const ofBase = base && (await makeSourceDatabases(client, owner, base, 'base'))
    const place = await makeSourceDatabases(client, owner, project, 'project')
    const before = base && ofBase && (await load(client, base, ofBase, recordings))
    if (before) await client.send({ type: 'mark_preview', args: {} })
    const { serve, ...loaded } = await load(client, project, place, recordings)
    return {
      ...loaded,
      client,
      base: before && { problems: before.problems, inconsistent: before.inconsistent, leftOut: before.leftOut },
      async preview() {
        const { body } = await client.send({ type: 'preview_since_mark', args: {} })
        return recordOf(body)
      },
      serve: (document) => serve(writeDeclared(document)),
      close: engine.close,
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The databases of a project's sources, by source, and what its recordings are named after. */
interface SourceDatabases {
  readonly urls: ReadonlyMap<string, string>
  readonly prefix: string
}

const servedSources = ({ document }: SandboxProject): readonly JsonObject[] =>
  recordsIn(writeDeclared(document).sources).filter(isServed)

async function makeSourceDatabases(
  client: MetadataClient,
  owner: ProjectOwner,
  project: SandboxProject,
  prefix: string,
): Promise<SourceDatabases> {
  return { urls: await makeDatabases(client, owner, servedSources(project), prefix), prefix }
}

interface Serving extends Loaded {
  serve(document: JsonObject): Promise<readonly JsonObject[]>
}

async function load(
  client: MetadataClient,
  project: SandboxProject,
  { urls, prefix }: SourceDatabases,
  recordings: string,
): Promise<Serving> {
  const declared = writeDeclared(project.document)
  const sources = servedSources(project)
  for (const { name } of recordsIn(declared.remote_schemas)) {
    const file = `${recordingName(String(name))}.json`
    await copyFile(join(project.introspections, file), join(recordings, `${prefix}-${file}`)).catch(() => {})
  }
  const inSandbox = (document: JsonObject) => sandboxDocument(document, urls, `${prefix}-`)
  const serve = (document: JsonObject) => replaceMetadata(client, inSandbox(document).json)
  await serve({ version: 3, sources: sources.map(bareSource) })
  const problems: Problem[] = []
  for (const { name } of sources) {
    const problem = await fill(client, project, String(name))
    if (problem) problems.push(problem)
  }
  return { problems, inconsistent: await serve(declared), leftOut: inSandbox(declared).leftOut, serve }
}

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
  return recordsIn(recordOf(body).inconsistent_objects)
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
  const error = recordOf(recordOf(internal).error)
  const position = Number(error.position)
  return { line: position > 0 ? sql.slice(0, position).split('\n').length : null }
}
