import type { DatabaseType } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import type { ResolvedRows } from '../../model/index.ts'
import { mentionedBy } from '../introspection/mentioned-by.ts'
import { columnTypeRef } from '../types/column-type.ts'
import { columnComparison, comparisonType } from '../types/comparison-type.ts'
import type { NamedTypes } from '../types/named-types.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { databaseTypeRef, floatRef, idRef, intRef, orderByRef } from '../types/scalar-types.ts'
import { cursorOrderings } from '../types/stream-types.ts'
import { type NamedType, namedOf, refTo, type TypeRef } from '../types/type.ts'
import { typeSystem } from '../types/visible-table.ts'

interface Mentionable {
  readonly types: NamedTypes
  /** Null: any name. */
  readonly names: ReadonlySet<string> | null
}

const made = new WeakMap<ResolvedRows, Mentionable>()

/**
 * Whether the types of a table may mention one that belongs to no table, whatever the role sees of it. The types of 5,000
 * tables take seconds to make, and few tables have a column of a rare type.
 */
export function mayMention(schema: RoleSchema, rows: ResolvedRows, name: string): boolean {
  const types = typeSystem(schema.model, rows)
  if (!types) return false
  const known = made.get(rows)
  const found = known?.types === types ? known : { types, names: namesOf(schema, rows, types) }
  made.set(rows, found)
  return found.names === null || found.names.has(name) || ofAnyTable(types, schema).has(name)
}

function namesOf(schema: RoleSchema, rows: ResolvedRows, types: NamedTypes): ReadonlySet<string> | null {
  const isOfOthers = rows.kind === 'table' && rows.remoteRelationships.size > 0
  if (isOfOthers || [...rows.relationships.values()].some(({ query }) => query)) return null
  const names = new Set<string>()
  const addType = (type: DatabaseType) => {
    add(names, databaseTypeRef(types, type), schema)
    addAll(names, comparisonType(types, type), schema)
  }
  for (const column of rows.columns) {
    add(names, columnTypeRef(types, column), schema)
    addAll(names, columnComparison(types, column), schema)
  }
  for (const { returns, arguments: given } of rows.computedFields.values()) {
    if (returns.kind === 'scalar') addType(returns.type)
    if (returns.kind === 'columns') for (const { type } of returns.columns) addType(type)
    for (const one of given) if (one.kind === 'user') addType(one.type)
  }
  return names
}

/** What aggregates, orders, streams and conditions on aggregates mention, whatever the columns are. */
const ofAnyTable = keptFor((types: NamedTypes, schema: RoleSchema): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const ref of [intRef, floatRef, idRef, orderByRef(types), refTo(cursorOrderings[types.convention])])
    add(names, ref, schema)
  for (const scalar of ['Int', 'float8', 'Boolean']) {
    const type = types.typeOfScalar(scalar)
    if (type) addAll(names, comparisonType(types, type), schema)
  }
  return names
})

const add = (names: Set<string>, ref: TypeRef, schema: RoleSchema): void =>
  addAll(names, namedOf(ref).find(schema), schema)

/** A type's name, and those of all that it leads to. */
const closure = keptFor((type: NamedType, schema: RoleSchema): ReadonlySet<string> => {
  const types = new Map([[type.name, type]])
  for (const one of types.values())
    for (const ref of mentionedBy(one, schema)) if (!types.has(ref.name)) types.set(ref.name, ref.find(schema))
  return new Set(types.keys())
})

function addAll(names: Set<string>, type: NamedType, schema: RoleSchema): void {
  for (const name of closure(type, schema)) names.add(name)
}
