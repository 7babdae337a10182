import { findObject, keyedObject, type MetadataObject, nameText, type ObjectAddress } from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import type { TableNode } from '../graph.ts'
import type { TableId } from '../model.ts'
import { Flaw } from '../resolve/flaw.ts'
import type { TableFace } from '../resolve/table-face.ts'
import { addressOfTable } from '../table-id.ts'
import { type Draft, partsOf } from './draft.ts'

/** Types that a table's type name brings along: no other table may be named like one (spec 02 §1.5). */
const derivedTypes = [
  '_aggregate',
  '_aggregate_fields',
  '_max_fields',
  '_min_fields',
  '_select_column',
  '_order_by',
  '_bool_exp',
  '_stream_cursor_input',
  '_stream_cursor_value_input',
] as const

const reservedTypes = new Set([
  ...['query_root', 'mutation_root', 'subscription_root', 'order_by', 'cursor_ordering'],
  ...['Int', 'Float', 'String', 'Boolean', 'ID'],
])

/** The names a table holds: its own, and the types of the enum that it is. */
function ownTypes({ graphqlName, enumName }: TableFace): readonly string[] {
  const enumTypes = enumName === null ? [] : [enumName, `${enumName}_comparison_exp`]
  return graphqlName === null ? [] : [graphqlName, ...enumTypes]
}

/**
 * Gives a table its root fields and type names, or says who has one of them. Names are unique over all sources
 * (spec 02 §1.1); of two tables that want one, that which has it keeps it (architecture, decision 11).
 */
export function claimNames(draft: Draft, node: TableNode): Flaw | null {
  const { face, id } = node
  const flaw = reservedName(face) ?? takenType(draft, node) ?? takenField(draft, node)
  if (flaw) return flaw
  for (const name of ownTypes(face)) draft.graph.typeNames.set(name, id)
  for (const { kind, name } of face.rootFields) draft.rootFields.set(name, { kind, table: id })
  return null
}

/** Gives names back. Returns the tables that were kept out by this one and may try again. */
export function releaseNames(draft: Draft, { face, id }: TableNode): readonly TableId[] {
  const { typeNames, blocked } = draft.graph
  for (const name of ownTypes(face)) if (typeNames.get(name) === id) typeNames.delete(name)
  for (const { name } of [...face.rootFields, ...(face.alias ? [face.alias] : [])])
    if (draft.rootFields.get(name)?.table === id) draft.rootFields.delete(name)
  const waiting = [...(blocked.get(id)?.keys() ?? [])]
  blocked.delete(id)
  return waiting
}

/** `<n>_one` yields to every other root field of that name (spec 02 §1.2): looked at once all others are claimed. */
export function settleAliases(draft: Draft, claimed: readonly TableNode[], released: readonly TableFace[]): void {
  const faces = [...claimed.map(({ face }) => face), ...released]
  const owners = faces
    .flatMap(({ rootFields }) => rootFields)
    .flatMap(({ name }) => (name.endsWith('_one') ? (draft.graph.typeNames.get(name.slice(0, -4)) ?? []) : []))
  for (const id of new Set([...claimed.map((node) => node.id), ...owners])) {
    const node = draft.graph.nodes.get(id)
    if (!node?.served || !node.face.alias) continue
    const { kind, name } = node.face.alias
    if (!draft.rootFields.has(name)) draft.rootFields.set(name, { kind, table: id })
    partsOf(draft, id)
  }
}

/** Remembers who has the name, to try again when it is given back. */
export function waitFor(draft: Draft, loser: TableId, flaw: Flaw): void {
  const { blocked } = draft.graph
  for (const { own, parent } of flaw.detail.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    if (winner !== loser) blocked.set(winner, (blocked.get(winner) ?? nobody).set(loser, true))
  }
}

export function stopWaiting(draft: Draft, key: string, loser: TableId): void {
  const { blocked } = draft.graph
  for (const { own, parent } of draft.faults.get(key)?.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    const others = blocked.get(winner)?.delete(loser)
    if (others?.isEmpty()) blocked.delete(winner)
    else if (others) blocked.set(winner, others)
  }
}

const nobody: ImmutableMap<TableId, true> = ImmutableMap()

function reservedName({ graphqlName }: TableFace): Flaw | null {
  if (graphqlName === null || !reservedTypes.has(graphqlName)) return null
  return new Flaw(`conflicting definitions for type "${graphqlName}"`, {
    cause: 'clash',
    at: ['configuration', 'custom_name'],
    names: [graphqlName],
    prefix: 'Conflicting objects',
  })
}

function takenField(draft: Draft, { id, face }: TableNode): Flaw | null {
  const owners = face.rootFields.map(({ name }, i) => {
    const owner = draft.rootFields.get(name)
    if (face.rootFields.findIndex((other) => other.name === name) < i) return id
    return owner && owner.table !== id && owner.kind !== 'select_one' ? owner.table : null
  })
  const first = owners.findIndex((owner) => owner !== null)
  const field = face.rootFields[first]
  const winner = owners[first]
  if (!field || !winner) return null
  const names = face.rootFields.flatMap(({ name }, i) => (owners[i] === winner ? [name] : []))
  const at = fieldAt(draft, id, field.kind)
  return clash(draft, `conflicting definitions for field "${field.name}"`, winner, at, names)
}

function takenType(draft: Draft, { id, face }: TableNode): Flaw | null {
  const name = face.graphqlName
  if (name === null) return null
  const { typeNames } = draft.graph
  const bases = derivedTypes.flatMap((suffix) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []))
  const winner = [...ownTypes(face), ...bases, ...derivedTypes.map((suffix) => `${name}${suffix}`)]
    .map((candidate) => typeNames.get(candidate))
    .find((owner) => owner !== undefined && owner !== id)
  if (winner === undefined) return null
  const fields = face.rootFields.flatMap((field) =>
    draft.rootFields.get(field.name)?.table === winner ? [field.name] : [],
  )
  const names = fields.length > 0 ? fields : [name]
  const what = fields.length > 0 ? 'field' : 'type'
  return clash(draft, `conflicting definitions for ${what} "${names[0]}"`, winner, nameAt(draft, id), names)
}

function clash(draft: Draft, text: string, winner: TableId, at: readonly string[], names: readonly string[]): Flaw {
  const address: ObjectAddress = addressOfTable(winner)
  return new Flaw(text, {
    cause: 'clash',
    needs: [address],
    at,
    names,
    prefix: 'Conflicting objects',
    message: `already defined by ${nameText(keyedObject(draft.input.document, address))}`,
  })
}

function configured(draft: Draft, id: TableId): MetadataObject['value'] {
  const configuration = findObject(draft.input.document, addressOfTable(id))?.value.configuration
  return (configuration ?? {}) as MetadataObject['value']
}

const nameAt = (draft: Draft, id: TableId): readonly string[] =>
  configured(draft, id).custom_name === undefined ? ['table'] : ['configuration', 'custom_name']

function fieldAt(draft: Draft, id: TableId, kind: string): readonly string[] {
  const fields = (configured(draft, id).custom_root_fields ?? {}) as MetadataObject['value']
  return fields[kind] === undefined ? nameAt(draft, id) : ['configuration', 'custom_root_fields', kind]
}
