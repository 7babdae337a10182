import type { JsonObject, MetadataDocument, ObjectType } from '@svc/schema'
import type pg from 'pg'
import { parseExactly } from '../../exact-json/index.ts'
import { buildDocument, type ObjectRow } from './build-document.ts'
import { type CatalogueConnection, type CatalogueStatement, repeatable, type TextRow } from './connection.ts'
import { type OwnerOfObject, withOwners } from './owner-columns.ts'

export interface Versioned {
  readonly document: MetadataDocument
  readonly resourceVersion: number
}

/** What is known of the catalogue in addition the document. */
export interface CatalogueState {
  readonly catalogId: string
  readonly resourceVersion: number
  readonly historySince: number
  readonly reloads: number
}

/** SQL of the state, one row that `splitState` finds among others; `more`: columns that the others have. */
export const selectState = (more = ''): string => `
    SELECT v.svc_uuid::text, m.resource_version::text, m.history_since::text, m.reloads::text${more}
      FROM svc_catalog.metadata m CROSS JOIN svc_catalog.svc_version v`

/** The state together with the objects, so that they are of one moment. */
const loadStatement = repeatable('svc_load')`
    ${selectState(', NULL')}
    UNION ALL
    SELECT address, type, value::text, NULL, owned_by FROM ${withOwners('metadata_object')}`

const sourcesStatement = repeatable('svc_load_sources')`
   SELECT address, type, value::text FROM svc_catalog.metadata_object WHERE type = 'source'`

export async function loadSources(connection: CatalogueConnection): Promise<readonly JsonObject[]> {
  return (await connection.run(sourcesStatement)).map((row) => readObject(row).value)
}

/** Read before every write and export, and by health checks. */
const stateStatement: CatalogueStatement = {
  limit: 5_000,
  ...repeatable('svc_state')`${selectState()}`,
}

/** The whole document. 235,000 objects (5,000 tables, 11 roles) take 0.7 s, a third each for reading, parsing and building. */
export async function loadDocument(connection: CatalogueConnection): Promise<{
  readonly state: CatalogueState
  readonly loaded: Versioned
  readonly owners: readonly OwnerOfObject[]
  readonly objects: number
}> {
  const { state, rows } = splitState(await connection.run(loadStatement))
  return {
    state,
    loaded: { document: buildDocument(rows.map(readObject)), resourceVersion: state.resourceVersion },
    owners: rows.flatMap((row): OwnerOfObject[] => (typeof row[4] === 'string' ? [[row[0] ?? '', row[4]]] : [])),
    objects: rows.length,
  }
}

export async function readCatalogueState(connection: CatalogueConnection): Promise<CatalogueState> {
  return splitState(await connection.run(stateStatement)).state
}

/** Does the same over a caller's connection. Rejects with what pg says. */
export async function askCatalogueState(client: pg.Client): Promise<CatalogueState> {
  const { rows } = await client.query<string[]>({ text: stateStatement.text, rowMode: 'array' })
  return readState(rows[0])
}

/** The state is the row whose fourth text is set. A parallel plan may return it anywhere. */
export function splitState(rows: readonly TextRow[]): {
  readonly state: CatalogueState
  readonly rows: readonly TextRow[]
} {
  const at = rows.findIndex((row) => row[3] !== null)
  return { state: readState(rows[at]), rows: rows.toSpliced(at, 1) }
}

function readState(row: TextRow | undefined): CatalogueState {
  const [catalogId, resourceVersion, historySince, reloads] = row ?? []
  return {
    catalogId: catalogId ?? '',
    resourceVersion: Number(resourceVersion),
    historySince: Number(historySince),
    reloads: Number(reloads),
  }
}

export function readObject([address, type, value]: TextRow): ObjectRow {
  return { address: address ?? '', type: type as ObjectType, value: parseExactly(value ?? '{}') as JsonObject }
}
