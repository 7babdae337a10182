import { keyedObject, nameText, type ObjectAddress } from '@svc/schema'
import type { TypeSystem } from '../../backends/index.ts'
import type { NativeNode } from '../native/resolve-native-query.ts'
import { Flaw } from '../resolve/flaw.ts'
import { addressOfFunction, addressOfTable } from '../table-id.ts'
import { refuseTakenScalars, refuseTakenType } from './argument-types.ts'
import { ownerOfType } from './claim-names.ts'
import type { Draft } from './draft.ts'
import { isReservedType, scalarsOf, userOfScalar } from './reserved-names.ts'

/** Type names that logical models and native queries have so far. */
export type TypeClaims = Map<string, ObjectAddress>

/** Names of types are unique over all sources (architecture, decision 11), those of the scalars of columns as well. */
export function claimType(
  draft: Draft,
  claimed: TypeClaims,
  types: TypeSystem,
  name: string,
  at: ObjectAddress,
  where: readonly string[],
): void {
  const table = ownerOfType(draft, name) ?? userOfScalar(draft, name, types)
  const owner = table === undefined ? claimed.get(name) : addressOfTable(table)
  if (owner || isReservedType(draft, name)) throw clash(draft, 'type', name, owner, where)
  refuseTakenType(draft, name, at, where)
  claimed.set(name, at)
}

export function refuseTakenNames(
  draft: Draft,
  claimed: TypeClaims,
  types: TypeSystem,
  { query, rows }: NativeNode,
  at: ObjectAddress,
): void {
  const where = ['root_field_name']
  const { name } = query
  const table = draft.rootFields.get(name)?.table ?? draft.namespaces.get(name)?.first()
  const called = draft.functionFields.get(name)?.function
  const other = draft.nativeQueries.get(name)?.id
  const taken =
    table !== undefined
      ? addressOfTable(table)
      : called !== undefined
        ? addressOfFunction(called)
        : other !== undefined
          ? addressOfTable(`${other.slice(0, other.indexOf('/'))}//query/${other.slice(other.indexOf('/') + 1)}`)
          : undefined
  if (taken) throw clash(draft, 'field', name, taken, where)
  if (query.arguments.length > 0) claimType(draft, claimed, types, query.argumentsName, at, where)
  refuseTakenScalars(draft, new Set(query.arguments.map(({ type }) => types.graphqlScalar(type))), where)
  refuseTakenScalars(draft, scalarsOf(rows.columns, types), where)
  if (addressOfTable(rows.id).type === 'native_query') claimType(draft, claimed, types, name, at, where)
}

function clash(
  draft: Draft,
  what: 'type' | 'field',
  name: string,
  owner: ObjectAddress | undefined,
  at: readonly string[],
): Flaw {
  return new Flaw(`conflicting definitions for ${what} "${name}"`, {
    cause: 'clash',
    at,
    names: [name],
    bare: true,
    prefix: 'Conflicting objects',
    ...(owner && {
      needs: [owner],
      message: `already defined by ${nameText(keyedObject(draft.input.document, owner))}`,
    }),
  })
}
