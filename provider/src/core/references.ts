import {
  address,
  childrenOf,
  findObject,
  isRecord,
  type Json,
  type MetadataDocument,
  type ObjectAddress,
  objectKinds,
  ownKey,
  ownKeyOf,
  sourceAddress,
  tableAddress,
  tableText,
} from '@svc/schema'
import type { EngineErrorBody } from '../client/index.ts'
import { type JsonSpelling, placeOf, type Reference, type ResourceKind, type Values } from '../resources/index.ts'

/** What an object names that must be there before it: what it lies in, and what its kind says. */
export function referencesOf(
  kind: ResourceKind,
  values: Values,
  value: Parameters<NonNullable<ResourceKind['dependsOn']>>[1],
  spelling: JsonSpelling,
): readonly Reference[] {
  const { source = null, table } = placeOf(kind, values, spelling)
  const { parent } = objectKinds[kind.type]
  const above: readonly Reference[] =
    parent === 'table'
      ? [{ to: 'table', source, table: table ?? null, attribute: ['table'] }]
      : parent === 'source'
        ? [{ to: 'source', source, attribute: ['source'] }]
        : []
  return [...above, ...(kind.dependsOn?.(values, value) ?? [])]
}

/** Whether a document holds what is referred to. */
export const isThere = (document: MetadataDocument, reference: Reference): boolean =>
  targetsOf(document, reference).length > 0

/** The objects of a document that are referred to; where only the engine knows which, all that it may be. */
export function targetsOf(document: MetadataDocument, reference: Reference): readonly ObjectAddress[] {
  return addressesOf(document, reference).filter((one) => findObject(document, one) !== undefined)
}

function addressesOf(document: MetadataDocument, reference: Reference): readonly ObjectAddress[] {
  const { source } = reference
  switch (reference.to) {
    case 'source':
      return [sourceAddress(String(source))]
    case 'table':
      return isRecord(reference.table) ? [tableAddress(String(source), reference.table)] : []
    case 'relationship': {
      const { table, name } = reference
      const tables = isRecord(table)
        ? [tableAddress(String(source), table)]
        : tablesOf(document, source).map(({ value }) =>
            address('table', ownKeyOf('table', value), sourceAddress(String(source))),
          )
      return tables.flatMap((one) =>
        (['object_relation', 'array_relation'] as const).map((type) => address(type, ownKey(type, { name }), one)),
      )
    }
  }
}

/** Whether a refusal speaks of it: of what lies on a table that only the engine knows. */
export const isMissed = (reference: Reference, { error, internal }: EngineErrorBody): boolean =>
  reference.to === 'relationship' &&
  reference.table === null &&
  `${error}${JSON.stringify(internal ?? '')}`
    .replaceAll('\\"', '"')
    .includes(`column "${reference.name}" does not exist`)

function tablesOf(document: MetadataDocument, source: Json) {
  const found = findObject(document, sourceAddress(String(source)))
  return found ? [...childrenOf(found, 'table').values()] : []
}

/** Tables that an engine's refusal calls untracked: over a foreign key a relationship leads to one it does not name. */
export function untrackedTables({ error, internal }: EngineErrorBody): readonly string[] {
  const texts = [
    error,
    ...(Array.isArray(internal) ? internal : []).map((one: unknown) => (isRecord(one) ? String(one.reason) : '')),
  ]
  const names = texts.flatMap((text) => [...text.matchAll(/table "([^"]+)" is not tracked/g)].map(([, name]) => name))
  return [...new Set(names)].flatMap((name) => (name === undefined ? [] : [name]))
}

/** Whether a source has a table of that name, as the engine's texts spell it. */
export const isTracked = (document: MetadataDocument, source: Json, name: string): boolean =>
  tablesOf(document, source).some(({ value }) => tableText(value.table ?? null) === name)
