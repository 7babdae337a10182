import { readFile, stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import {
  type Issue,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  meantKey,
  readMetadata,
  recordOf,
} from '@svc/schema'
import { DirectoryError, type FilePlace } from './directory-error.ts'
import {
  actionsFile,
  actionsGraphqlFile,
  databasesFile,
  olderFunctionsFile,
  olderTablesFile,
  topFiles,
  versionFile,
} from './files.ts'
import { createIncludeReader, type IncludeBounds, type IncludeReader } from './include.ts'
import { parseActions } from './parse-actions.ts'
import { lineOf, type Place, placeUnknownKeys, type UnknownKey } from './unknown-keys.ts'
import { shown, type UnusedFile, unusedFiles } from './unused-files.ts'
import { parseYaml } from './yaml-text.ts'

export interface ReadDirectory {
  readonly document: MetadataDocument
  /** Keys that metadata does not know: left out, worth a word. */
  readonly ignored: readonly UnknownKey[]
  /** Keys inside objects that metadata does not know: they remain, as a newer engine may know them. */
  readonly unknown: readonly UnknownKey[]
  /** Files of the directory that nothing refers to. */
  readonly unused: readonly UnusedFile[]
}

/** Metadata as its files have it, includes resolved, before anything is checked. */
export interface MetadataFiles {
  readonly json: JsonObject
  /** What the files say and metadata has no place for: sentences. Of a project of ours there is nothing. */
  readonly leftOut: readonly string[]
  /** Files of the directory that nothing refers to. */
  readonly unused: readonly UnusedFile[]
  /** Whether a file, by its absolute path, is part of it. */
  hasRead(file: string): boolean
  /** Where a value of `json` stands, by its path. */
  placeOf(path: Issue['path']): Promise<FilePlace>
  /**
   * The document that they make. What is equal to an object of `known` at the same address is that object, and not checked.
   * Throws DirectoryError, naming the file at fault.
   */
  read(known?: MetadataDocument): Promise<ReadDirectory>
  /**
   * The same of a part of `json`. Null where it is wrong or something is left out of it: `read` reports where.
   */
  readPart(part: JsonObject, known: MetadataDocument): Promise<ReadDirectory | null>
}

/**
 * Reads a metadata directory, or one .json or .yaml file (reference/metadata-directory#commands). `root` is the
 * project's folder: includes must not leave it. Throws DirectoryError, naming the file at fault.
 */
export async function readMetadataFrom(path: string, root: string = path): Promise<ReadDirectory> {
  return (await readMetadataFiles(path, root)).read()
}

/**
 * Whose directory it is. The reference's may be of version 2, whose tables are those of the keys `tables` and `functions`, and what
 * it says that has no place is left out; in one of ours that is an error.
 */
export type DirectoryOrigin = 'ours' | 'reference'

const versionsOf: Readonly<Record<DirectoryOrigin, readonly number[]>> = { ours: [3], reference: [2, 3] }

/**
 * Reads only the files of such a directory. Throws DirectoryError, also where it is of another version, and beyond the
 * bounds.
 */
export async function readMetadataFiles(
  path: string,
  root: string,
  origin: DirectoryOrigin = 'ours',
  bounds: IncludeBounds | null = null,
): Promise<MetadataFiles> {
  const kind = await stat(path).catch(() => null)
  if (!kind) throw new DirectoryError(`there is no ${shown(path)}: make it with \`svc metadata export\``)
  const reader = createIncludeReader(resolve(root), bounds)
  const isDirectory = kind.isDirectory()
  const { json, leftOut } = isDirectory
    ? await readFolder(path, reader, origin)
    : { json: await readSingle(path, reader), leftOut: [] }
  const unused = isDirectory ? unusedFiles(resolve(path), (file) => reader.hasRead(file)) : []
  return {
    json: recordOf(json),
    leftOut,
    unused,
    hasRead: (file) => reader.hasRead(file),
    placeOf: (at) => shownPlace(placeIn(at, json, reader, path, isDirectory)),
    read: async (known) => toDocument(json, reader, path, isDirectory, unused, known),
    async readPart(part, known) {
      const read = readMetadata(part, known, { findUnknown: true })
      if (!read.ok || read.version !== 3 || read.ignored.length > 0 || read.unknown.length > 0) return null
      return { document: read.document, unused, ignored: [], unknown: [] }
    },
  }
}

async function readSingle(path: string, reader: IncludeReader): Promise<Json> {
  if (extname(path) !== '.json') return reader.read(resolve(path)) ?? null
  return parseYaml(await readFile(path, 'utf8'), shown(path)) // JSON is YAML, and errors come with a line
}

async function readFolder(
  folder: string,
  reader: IncludeReader,
  origin: DirectoryOrigin,
): Promise<{ readonly json: JsonObject; readonly leftOut: readonly string[] }> {
  const versions = versionsOf[origin]
  const read = (file: string) => reader.read(resolve(folder, file))
  const version = read(versionFile)
  if (version === undefined)
    throw new DirectoryError(
      `${shown(folder)} has no ${versionFile}, so it is no metadata directory: make one with \`svc metadata export\``,
    )
  const found = versions.find((one) => isRecord(version) && version.version === one)
  if (found === undefined)
    throw new DirectoryError(
      `${shown(join(folder, versionFile))}: only version ${versions.join(' and ')} is supported${isRecord(version) && version.version === 2 ? ': `svc metadata import-from` reads it' : ''}`,
    )
  const sdl = await readFile(join(folder, actionsGraphqlFile), 'utf8').catch(() => '')
  const { defaults, ...actions } = parseActions(sdl, read(actionsFile))
  const [refused] = origin === 'ours' ? defaults : []
  if (refused !== undefined)
    throw new DirectoryError(`actions.graphql: the default value of ${refused} cannot be kept, metadata has none`)
  const leftOut = defaults.map((place) => `actions.graphql: the default value of ${place} is left out`)
  const metadata: Record<string, Json> = { version: found, ...actions }
  for (const [key, { file }] of Object.entries(topFiles)) metadata[key] = notEmpty(read(file))
  if (found === 2) {
    const database = { tables: read(olderTablesFile) ?? [], functions: read(olderFunctionsFile) ?? [] }
    return { json: { ...metadata, ...flat(database, 'tables'), ...flat(database, 'functions') }, leftOut }
  }
  metadata.sources = notEmpty(flattenTables(read(databasesFile)))
  return { json: metadata, leftOut }
}

/** A missing or empty file, and `{}` where a list is meant, say nothing. */
const notEmpty = (json: Json | undefined): Json =>
  json === undefined || (isRecord(json) && Object.keys(json).length === 0) ? null : json

/** The reference's tables.yaml includes a list; included from a list it would be a list in a list. */
function flattenTables(sources: Json | undefined): Json | undefined {
  if (!Array.isArray(sources)) return sources
  return sources.map((source: Json) =>
    isRecord(source) ? { ...source, ...flat(source, 'tables'), ...flat(source, 'functions') } : source,
  )
}

const flat = (source: JsonObject, key: string): JsonObject =>
  Array.isArray(source[key]) ? { [key]: (source[key] as readonly Json[]).flat() as Json } : {}

async function toDocument(
  json: Json,
  reader: IncludeReader,
  path: string,
  isDirectory: boolean,
  unused: readonly UnusedFile[],
  known?: MetadataDocument,
): Promise<ReadDirectory> {
  const read = readMetadata(json, known, { findUnknown: true })
  const placeOf = (at: Issue['path']) => placeIn(at, json, reader, path, isDirectory)
  if (!read.ok) throw await explain(read.issue, path, placeOf)
  if (read.version !== 3) throw new DirectoryError(`${shown(path)}: only version 3 of metadata is supported`)
  return {
    document: read.document,
    unused,
    ignored: await placeUnknownKeys(
      read.ignored.map((at) => ({ path: at })),
      placeOf,
    ),
    unknown: await placeUnknownKeys(read.unknown, placeOf),
  }
}

/** The file that a value came from, and its path inside that file. */
function placeIn(at: Issue['path'], json: Json, reader: IncludeReader, path: string, isDirectory: boolean): Place {
  let value: unknown = json
  let file: string | null = isDirectory ? null : path
  let inside: (string | number)[] = []
  for (const step of at) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined
    inside.push(step)
    const origin = reader.fileOf(value)
    if (origin !== undefined) {
      file = origin
      inside = []
    }
  }
  if (file !== null || at.length === 0) return { file, inside }
  // sources and actions are put together from their files
  return at[0] === 'sources'
    ? { file: join(path, databasesFile), inside: at.slice(1) }
    : { file: join(path, actionsFile), inside: at }
}

async function shownPlace({ file, inside }: Place): Promise<FilePlace> {
  const text = file === null ? '' : await readFile(file, 'utf8').catch(() => '')
  return { file: file === null ? null : shown(file), line: lineOf(text, inside) }
}

/** An issue with its file and line. */
async function explain(issue: Issue, path: string, placeOf: (path: Issue['path']) => Place): Promise<DirectoryError> {
  const { file, inside } = placeOf(issue.path)
  const at = inside.length > 0 ? ` at ${inside.join('.')}` : ''
  const [unknown] = issue.unknown ?? []
  const place = await shownPlace({ file: file ?? path, inside: unknown === undefined ? inside : [...inside, unknown] })
  const meant = unknown === undefined ? null : meantKey([...issue.path, unknown])
  const where = `${place.file}${place.line === null ? '' : `:${place.line}`}`
  const problem = `${issue.message}${meant === null ? '' : `, did you mean "${meant}"?`}`
  return new DirectoryError(`${where}${at}: ${problem}`, { ...place, problem })
}
