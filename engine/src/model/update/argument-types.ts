import { addressText, keyedObject, nameText, type ObjectAddress } from '@svc/schema'
import type { TypeSystem } from '../../backends/index.ts'
import { type TableNode, typeReadKey } from '../graph.ts'
import type { ResolvedArgument, ResolvedComputedField } from '../model.ts'
import { generatedType } from '../naming/source-naming.ts'
import { Flaw } from '../resolve/flaw.ts'
import { addressOfFunction, addressOfTable } from '../table-id.ts'
import type { Draft } from './draft.ts'

/** Whether a client gives any of them: only then is there a type for them. */
export const asksClient = (given: readonly ResolvedArgument[]): boolean => given.some(({ kind }) => kind === 'user')

/** `<cf>_<T>_args` (spec 02 §6.2); null where there is no such type. */
export function computedArgumentsType(
  { arguments: given, name }: ResolvedComputedField,
  { face }: TableNode,
): string | null {
  return face.baseName === null || !asksClient(given) ? null : generatedType(face.naming, name, face.baseName, 'args')
}

/** Throws a Flaw when something else has the name (architecture, decision 11). */
export function refuseTakenType(draft: Draft, name: string, mine: ObjectAddress, at: readonly string[]): void {
  const table = draft.graph.typeNames.get(name)
  const field = draft.graph.argumentTypes.get(name)
  const called = [...draft.functions.values()].find(
    (one) =>
      one.argumentsName === name &&
      asksClient(one.arguments) &&
      addressText(addressOfFunction(one.id)) !== addressText(mine),
  )
  const owner =
    table !== undefined
      ? addressOfTable(table)
      : field && addressText(field) !== addressText(mine)
        ? field
        : called && mine.type !== 'computed_field'
          ? addressOfFunction(called.id)
          : undefined
  if (owner) throw takenType(draft, name, owner, at)
}

/** The scalars of what a client gives. */
export const argumentScalars = (given: readonly ResolvedArgument[], types: TypeSystem): Set<string> =>
  new Set(given.flatMap((one) => (one.kind === 'user' ? [types.graphqlScalar(one.type)] : [])))

/** Throws a Flaw when a table is called like one of the scalars. */
export function refuseTakenScalars(draft: Draft, scalars: Iterable<string>, at: readonly string[]): void {
  for (const name of scalars) {
    const table = draft.graph.typeNames.get(name)
    if (table !== undefined) throw takenType(draft, name, addressOfTable(table), at)
  }
}

const takenType = (draft: Draft, name: string, owner: ObjectAddress, at: readonly string[]): Flaw =>
  new Flaw(`conflicting definitions for type "${name}"`, {
    cause: 'clash',
    needs: [owner],
    at,
    names: [name],
    bare: true,
    prefix: 'Conflicting objects',
    message: `already defined by ${nameText(keyedObject(draft.input.document, owner))}`,
  })

/** The name that a computed field has had so far, as what it read tells. */
export function heldType(draft: Draft, at: ObjectAddress): string | null {
  const own = addressText(at)
  const names = (draft.graph.reads.get(own) ?? []).flatMap((read) =>
    read.startsWith(typeReadKey('')) ? [read.slice(typeReadKey('').length)] : [],
  )
  return names.find((name) => isHeldBy(draft, name, own)) ?? null
}

const isHeldBy = (draft: Draft, name: string, own: string): boolean => {
  const owner = draft.graph.argumentTypes.get(name)
  return owner !== undefined && addressText(owner) === own
}
