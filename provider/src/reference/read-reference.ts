import { join, resolve, sep } from 'node:path'
import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { DirectoryError, filesIn, readMetadataFiles, shown, type UnusedFile } from '../directory/index.ts'
import { findProject, type ReferenceProject, rootOf } from './find-project.ts'
import { type ReferenceMigrations, readReferenceMigrations } from './reference-migrations.ts'
import { unwrapMetadata } from './unwrap-metadata.ts'

/** What an import begins with: metadata of version 3 that may have the reference's words, and what was left out. */
export interface ReferenceMetadata {
  readonly metadata: JsonObject
  readonly migrations: ReferenceMigrations
  /** Files of its metadata directory that nothing there refers to. */
  readonly unused: readonly UnusedFile[]
  /** Of its files and of the files next to the metadata: sentences. */
  readonly leftOut: readonly string[]
  /** Whether its tables were those of the one database that the engine was started with. */
  readonly isOlder: boolean
  /** Throws DirectoryError with file and line where the files themselves are at fault. */
  explain(): Promise<void>
}

const noMigrations: ReferenceMigrations = { migrations: [], files: [], leftOut: [] }

/** Of a project in any of its shapes, a metadata directory, or one file. Throws DirectoryError. */
export async function readReferenceDirectory(path: string): Promise<ReferenceMetadata> {
  const project = await findProject(path)
  const files = await readMetadataFiles(project.metadata, rootOf(project), 'reference')
  const { metadata, leftOut, isOlder } = unwrapMetadata(files.json, shown(project.metadata))
  const migrations = project.migrations === null ? noMigrations : readReferenceMigrations(project.migrations)
  const named = new Set([...migrations.files, ...files.unused.map(({ file }) => resolve(file))])
  const isUsed = (file: string) => files.hasRead(file) || isOfDirectory(file, project) || named.has(file)
  return {
    metadata,
    migrations,
    unused: files.unused,
    leftOut: [...project.leftOut, ...files.leftOut, ...leftOut, ...migrations.leftOut, ...filesLeft(project, isUsed)],
    isOlder,
    async explain() {
      if (!isOlder) await files.read()
    },
  }
}

/** Files that a metadata directory is read from as text, and that of the project's settings. */
const isOfDirectory = (file: string, { folder, metadata }: ReferenceProject): boolean =>
  file === resolve(metadata) ||
  file === join(resolve(metadata), 'actions.graphql') ||
  (folder !== null && file === join(folder, 'config.yaml'))

/** All other files, a line for each, and one for the rest of a folder with many. */
function filesLeft({ folder }: ReferenceProject, isUsed: (file: string) => boolean): readonly string[] {
  if (folder === null) return []
  const byFolder = new Map<string, string[]>()
  for (const file of filesIn(folder, /./))
    if (!isUsed(file)) {
      const name = file.slice(folder.length + 1)
      const top = name.split(sep).slice(0, -1).join('/')
      byFolder.set(top, [...(byFolder.get(top) ?? []), file])
    }
  return [...byFolder.values()].flatMap((files) => [
    ...files.slice(0, most).map((file) => `file ${shown(file)} is left out${reasonFor(file.slice(folder.length + 1))}`),
    ...(files.length > most ? [`${files.length - most} more files next to it are left out`] : []),
  ])
}

const most = 10

const reasonFor = (name: string): string => {
  if (name.startsWith(`seeds${sep}`)) return ': rows are no part of metadata; psql runs it, or a migration'
  return ''
}

/** From a running engine of the reference. Throws ClientError, DirectoryError for what is no metadata. */
export async function readReferenceEngine(client: MetadataClient): Promise<ReferenceMetadata> {
  const { body } = await client.send({ type: 'export_metadata', args: {} })
  const json: Json = isRecord(body) ? body : null
  if (json === null) throw new DirectoryError(`${client.endpoint} answers export_metadata with no metadata`)
  return { ...unwrapMetadata(json, client.endpoint), migrations: noMigrations, unused: [], async explain() {} }
}
