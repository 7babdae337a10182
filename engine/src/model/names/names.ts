/**
 * The owners of names of GraphQL. A name has one owner, whatever the kind: of the kinds in the order of the parts
 * (tables first), among those of one kind in the order of the document, and a table that is served keeps what it has
 * (architecture, decision 12). Names are claimed by claim-table-names.ts for tables and by claim-names.ts for all
 * others.
 */
import {
  address,
  addressText,
  findObject,
  keyedObject,
  type MetadataDocument,
  nameText,
  type ObjectAddress,
  objectKinds,
  ownKey,
} from '@svc/schema'
import type { ClashedNames, Conflict } from '../fault.ts'
import { nameReadKey, type ReadKey } from '../graph.ts'
import { ResolutionError } from '../resolve/resolution-error.ts'
import type { RootFieldOwner, RootName, Roots } from '../root-owner.ts'
import { SharedMap, type SharedMapInWork } from '../shared-map.ts'
import { addressOfFunction, addressOfNativeQuery, addressOfTable } from '../table-id.ts'
import type { ModelDraft } from '../update/model-draft.ts'

export const noRoots: Roots = { query: new SharedMap(), mutation: new SharedMap(), subscription: new SharedMap() }

/** The object that a root field comes from. */
export function addressOfOwner(owner: RootFieldOwner): ObjectAddress {
  if ('table' in owner) return addressOfTable(owner.table)
  if ('function' in owner) return addressOfFunction(owner.function)
  if ('action' in owner) return address('action', ownKey('action', { name: owner.action }))
  if ('remote' in owner) return address('remote_schema', ownKey('remote_schema', { name: owner.remote }))
  return addressOfNativeQuery(owner.kind, owner.query)
}

/** Marks something as changed: objects that read it have to be resolved again. */
export function announce(draft: ModelDraft, key: ReadKey): void {
  // a first build has 100,000 names before any of them is read
  if (draft.graph.readers.size === 0) return
  for (const at of draft.graph.readers.get(key)?.values() ?? []) {
    const waiting = draft.waiting.get(at.type)
    if (waiting) waiting.push(at)
    else draft.waiting.set(at.type, [at])
  }
}

/** Sets the owner of a root field, or (null) none. */
export function setRootField<R extends RootName>(
  draft: ModelDraft,
  root: R,
  key: string,
  owner: OwnerIn<R> | null,
): void {
  // by its type an owner of this root
  const fields = draft.roots[root] as SharedMapInWork<OwnerIn<R>>
  if (owner) fields.set(key, owner)
  else fields.delete(key)
  announce(draft, nameReadKey(key))
}

type OwnerIn<R extends RootName> = Roots[R] extends SharedMap<infer Owner> ? Owner : never

/** Sets the owner of the name of a type, or (null) none. */
export function setType(draft: ModelDraft, name: string, owner: ObjectAddress | null): void {
  if (owner) draft.graph.types.set(name, owner)
  else draft.graph.types.delete(name)
  announce(draft, nameReadKey(name))
}

export const sameAddress = (a: ObjectAddress, b: ObjectAddress): boolean =>
  a === b || (a.type === b.type && a.own === b.own && addressText(a) === addressText(b))

/** Whether one object's names go before those of another: of an earlier part, or earlier in the document. */
export function precedes(draft: ModelDraft, a: ObjectAddress, b: ObjectAddress): boolean {
  const rank = ({ type }: ObjectAddress) => draft.precedence.get(type) ?? -1
  const { document } = draft.input
  return a.type === b.type
    ? compareTexts(documentOrder(document, a), documentOrder(document, b)) < 0
    : rank(a) < rank(b)
}

/** Where an object stands in an export. */
export function documentOrder(document: MetadataDocument, at: ObjectAddress): readonly string[] {
  const above = at.parent ? documentOrder(document, at.parent) : []
  const object = findObject(document, at)
  return [...above, ...(object ? objectKinds[at.type].sort(object.value) : [at.own])]
}

export function compareTexts(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((text, index) => text !== b[index])
  return i < 0 ? 0 : (a[i] ?? '') < (b[i] ?? '') ? -1 : 1
}

export interface Clash {
  /** A type, or a field of that root. */
  readonly what: ClashedNames
  /** The first is the one in the message. */
  readonly names: readonly string[]
  /** Its owner; undefined: the engine itself. */
  readonly owner: ObjectAddress | undefined
  /** Keys inside the value of the object that wants it. */
  readonly at: readonly (string | number)[]
}

/** What a kind of object says where another has its names. */
export interface ClashWords {
  text(taken: Clash): string
  /** What a change is refused with that takes a name from such an object. */
  readonly conflict: Conflict
  /** And a change of the object itself. */
  readonly code: 'remote-schema-conflicts'
}

/**
 * A name is taken: what every kind says of it (reference/metadata-document#inconsistent-objects) that has no words of
 * its own.
 */
export function clash(draft: ModelDraft, taken: Clash, words?: ClashWords): ResolutionError {
  const { what, names, owner, at } = taken
  const noun = what === 'type' ? 'type' : 'field'
  return new ResolutionError(words ? words.text(taken) : `conflicting definitions for ${noun} "${names[0] ?? ''}"`, {
    cause: 'clash',
    ...(words && { code: words.code }),
    at,
    names,
    namesOf: what,
    bare: true,
    ...(words ? { conflict: words.conflict } : { prefix: 'Conflicting objects' }),
    ...(owner && {
      needs: [owner],
      message: `already defined by ${nameText(keyedObject(draft.input.document, owner))}`,
    }),
  })
}
