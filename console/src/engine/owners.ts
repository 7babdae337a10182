import type { ObjectKey } from '../navigate/object-address.ts'
import type { Client } from './client.ts'

/** An object and for whom it was declared (docs/ownership.md). */
export interface Owned {
  readonly object: ObjectKey & { readonly name: string }
  readonly owner: string
}

/** All that is owned. Throws EngineError. */
export const readOwners = async (client: Client): Promise<readonly Owned[]> =>
  (await client.read<{ readonly owners: readonly Owned[] }>('get_object_owners', {})).owners

/** Of these the object itself, and the objects inside it. */
export function ownedOf(owners: readonly Owned[], { type, key }: ObjectKey): readonly Owned[] {
  const { source, ...own } = key
  const name = JSON.stringify(Object.values(type === 'source' ? key : own)[0])
  return owners.filter(({ object }) => {
    const isItself = object.type === type && equal(object.key, key)
    return isItself || (JSON.stringify(object.key[type]) === name && (source ?? null) === (object.key.source ?? null))
  })
}

/** Whose the object itself is. */
export const ownerOf = (owners: readonly Owned[], { type, key }: ObjectKey): string | undefined =>
  owners.find(({ object }) => object.type === type && equal(object.key, key))?.owner

const equal = (a: ObjectKey['key'], b: ObjectKey['key']) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => JSON.stringify(b[name]) === JSON.stringify(value))
