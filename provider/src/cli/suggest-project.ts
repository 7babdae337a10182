import { type JsonObject, type MetadataDocument, readMetadata, recordsIn, writeMetadata } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { DirectoryError } from '../directory/index.ts'
import { type Choice, choose, type Database, readDatabase, suggestMetadata } from '../suggest/index.ts'

export interface SuggestedProject {
  readonly metadata: JsonObject
  readonly document: MetadataDocument
  readonly leftOut: readonly string[]
}

/** The source's entry in a document. Throws DirectoryError where it has none of that name. */
export function sourceIn(document: MetadataDocument, name: string): JsonObject {
  const found = recordsIn(writeMetadata(document).sources).find((source) => source.name === name)
  if (!found) throw new DirectoryError(`the engine has no source ${name}`)
  return found
}

/**
 * `document` with the chosen tables and functions of a source's database. A source that it lacks is taken from `live`. Throws
 * DirectoryError, ClientError.
 */
export async function suggestProject(
  client: MetadataClient,
  { document, live, source, choice }: { readonly document: MetadataDocument; readonly live: MetadataDocument; readonly source: string; readonly choice: Choice }, // biome-ignore format: one line
): Promise<SuggestedProject> {
  const { tables: _tables, functions: _functions, ...declared } = sourceIn(live, source)
  const database: Database = await readDatabase(client, declared)
  const before = writeMetadata(document)
  const sources = recordsIn(before.sources)
  const isThere = sources.some(({ name }) => name === source)
  const own = isThere ? sourceIn(document, source) : { ...declared, tables: [] }
  const suggested = suggestMetadata(own, database, choose(database, choice))
  const metadata = {
    ...before,
    sources: [...sources.filter(({ name }) => name !== source), suggested.source],
  }
  const read = readMetadata(metadata)
  if (!read.ok) throw new DirectoryError(`${read.issue.path.join('.')}: ${read.issue.message}`)
  return { metadata: writeMetadata(read.document), document: read.document, leftOut: suggested.leftOut }
}
