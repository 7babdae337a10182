import {
  address,
  childrenOf,
  customTypeAddress,
  declaresCustomType,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
  ownKey,
  sourceAddress,
  tableAddress,
  tableText,
} from '@svc/schema'
import type { Need } from '../client/index.ts'
import { type JsonSpelling, placeOf, type Reference, type ResourceKind, type Values } from '../resources/index.ts'
import { findObject } from './document-objects.ts'
import { walkObjects } from './walk-objects.ts'

/** Returns what an object names that must exist before it: its parents, and what its kind declares. */
export function referencesOf(
  kind: ResourceKind,
  values: Values,
  value: Parameters<NonNullable<ResourceKind['dependsOn']>>[1],
  spelling: JsonSpelling,
): readonly Reference[] {
  const place = placeOf(kind, values, spelling)
  return [...above(objectKinds[kind.type].parent, place), ...(kind.dependsOn?.(values, value) ?? [])]
}

/** The parents of an object. */
function above(parent: ObjectType | null, place: JsonObject): readonly Reference[] {
  const { source = null } = place
  if (parent === null) return []
  const [own, attribute] = [place[parent] ?? null, [parent]]
  switch (parent) {
    case 'table':
      return [{ to: 'table', source, table: own, attribute }]
    case 'source':
      return [{ to: 'source', source, attribute }]
    case 'remote_schema':
    case 'action':
      return [{ to: 'top-level', type: parent, source: null, key: { name: own }, attribute }]
    case 'function':
      return [{ to: 'in-source', type: parent, source, key: { function: own }, attribute }]
    case 'logical_model':
      return [{ to: 'in-source', type: parent, source, key: { name: own }, attribute }]
    default:
      return []
  }
}

/** Whether a document has what is referred to. */
export const isThere = (document: MetadataDocument, reference: Reference): boolean =>
  targetsOf(document, reference).length > 0

/** Returns the objects of a document that are referred to; where only the engine knows which, all that it may be. */
export function targetsOf(document: MetadataDocument, reference: Reference): readonly ObjectAddress[] {
  return addressesOf(document, reference).filter((one) => findObject(document, one) !== undefined)
}

function addressesOf(document: MetadataDocument, reference: Reference): readonly ObjectAddress[] {
  const { source } = reference
  switch (reference.to) {
    case 'source':
      return [sourceAddress(String(source))]
    case 'table':
      return isRecord(reference.table) ? [tableAddress(String(source), given(reference.table))] : []
    case 'in-source':
    case 'top-level': {
      const { type, key } = reference
      return [address(type, ownKey(type, key), reference.to === 'in-source' ? sourceAddress(String(source)) : null)]
    }
    case 'custom-type':
      return declaresCustomType(document, customTypeAddress(reference.name)) ? [customTypeAddress(reference.name)] : []
    case 'computed-field': {
      const { table, name } = reference
      const own = ownKey('computed_field', { name })
      return isRecord(table) ? [address('computed_field', own, tableAddress(String(source), given(table)))] : []
    }
    case 'select-permission': {
      const own = ownKey('select_permission', { role: reference.role })
      return tableAddresses(document, source).map((table) => address('select_permission', own, table))
    }
    case 'role':
      return namersOf(document, reference.role)
    case 'relationship': {
      const { table, name } = reference
      const tables = isRecord(table) ? [tableAddress(String(source), given(table))] : tableAddresses(document, source)
      return tables.flatMap((one) =>
        (['object_relation', 'array_relation'] as const).map((type) => address(type, ownKey(type, { name }), one)),
      )
    }
  }
}

/** Returns a name as metadata has it: among attributes it has a dataset or a schema that is null. */
export const given = (name: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(name).filter(([, part]) => part !== null))

/** Whether it is among what a refused change needs: objects of a table that only the engine knows. */
export function isNeeded(reference: Reference, needs: readonly Need[]): boolean {
  const some = (types: readonly ObjectType[], key: JsonObject) =>
    needs.some(({ address: at }) => at && types.includes(at.type) && at.own === ownKey(at.type, key))
  switch (reference.to) {
    case 'relationship':
      return reference.table === null && some(['object_relation', 'array_relation'], { name: reference.name })
    case 'select-permission':
      return some(['select_permission'], { role: reference.role })
    case 'source':
    case 'table':
    case 'in-source':
    case 'top-level':
    case 'custom-type':
    case 'computed-field':
    case 'role':
      return false
  }
}

/** Returns both relationships that an address may be of: a filter does not say which kind it uses. */
export const eitherRelationship = (at: ObjectAddress): readonly ObjectAddress[] =>
  at.type === 'object_relation' ? [at, { ...at, type: 'array_relation' }] : [at]

/** What makes a role known: that it is an inherited one, or permissions of it. */
function namersOf(document: MetadataDocument, role: Json): readonly ObjectAddress[] {
  const inherited = address('inherited_role', ownKey('inherited_role', { role_name: role }))
  if (findObject(document, inherited)) return [inherited]
  return [...walkObjects(document)]
    .filter(({ at, object }) => at.type.endsWith('_permission') && object.value.role === role)
    .map(({ at }) => at)
}

function tableAddresses(document: MetadataDocument, source: Json): readonly ObjectAddress[] {
  const at = sourceAddress(String(source))
  const found = findObject(document, at)
  return found ? [...childrenOf(found, 'table').keys()].map((own) => address('table', own, at)) : []
}

/**
 * Returns the tables that a refused change needs tracked: over a foreign key a relationship leads to one it does not
 * name.
 */
export const tablesNeeded = (needs: readonly Need[]): readonly NeededTable[] =>
  needs.flatMap(({ address: at, key }) =>
    at?.type === 'table' ? [{ address: at, name: tableText(key.table ?? null) }] : [],
  )

export interface NeededTable {
  readonly address: ObjectAddress
  readonly name: string
}
