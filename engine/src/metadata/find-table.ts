import {
  findObject,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  sourceAddress,
  tableAddress,
  tableText,
} from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import type { TablesOfSource } from './operation.ts'
import type { OperationContext } from './operation-context.ts'

export interface TableArgs {
  readonly source: string
  readonly table: JsonObject
}

/** The table that an operation names, for its `mentions` and `rereads`. */
export const namedTable = ({ source, table }: TableArgs): readonly TablesOfSource[] => [{ source, tables: [table] }]

/** The parent of an operation's object does not exist (yet); a plan waits for it. */
export class MissingObject extends ApiError {
  readonly object: ObjectAddress

  constructor(code: 'not-exists' | 'not-found', object: ObjectAddress, path: Path, at: Path, text: string) {
    super(code, path, text, { at })
    this.object = object
  }
}

/** The object at `address`. Throws MissingObject with that text, reported for `at`. */
export function requireObject(
  document: MetadataDocument,
  address: ObjectAddress,
  path: Path,
  at: Path,
  text: string,
  code: 'not-exists' | 'not-found' = 'not-exists',
): MetadataObject {
  const found = findObject(document, address)
  if (found) return found
  throw new MissingObject(code, address, path, at, text)
}

/** The source of that name. Throws not-exists (reference/metadata-requests#consistency). */
export function requireSource(document: MetadataDocument, source: string, path: Path, at: Path): MetadataObject {
  return requireObject(document, sourceAddress(source), path, at, `source with name "${source}" does not exist`)
}

/** Throws unexpected when the source cannot be reached: nothing about its tables could be checked. */
export function requireReady(source: string, path: Path, context: OperationContext): void {
  if (context.sourceStatus(source) === 'unavailable')
    throw path.error('unexpected', `source with name "${source}" is inconsistent`, 'source')
}

/**
 * The tracked table an operation speaks of. Throws not-exists for the source or the table
 * (reference/metadata-requests#consistency).
 */
export function requireTable(
  document: MetadataDocument,
  { source, table }: TableArgs,
  path: Path,
  /** Where a table that is not there is reported. */
  missingAt: Path = path,
): { readonly address: ObjectAddress; readonly object: MetadataObject } {
  requireSource(document, source, path, path.at('source'))
  const address = tableAddress(source, table)
  const text = `table "${tableText(table)}" does not exist in source: ${source}`
  return { address, object: requireObject(document, address, missingAt, path.at('table'), text) }
}

/** Returns an object's value without the keys that are undefined. */
export function withoutAbsent(entries: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}
