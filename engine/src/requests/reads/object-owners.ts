/** Which stack or directory owns objects (docs/ownership.md), and handing them over. */
import {
  addressText,
  diffDocumentsInPieces,
  equalJson,
  getObjectOwnersArgs,
  isRecord,
  type JsonObject,
  keyedObject,
  type MetadataDocument,
  type ObjectAddress,
  objectName,
  setObjectOwnersArgs,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { type LongWork, Stretches } from '../../long-work.ts'
import { requireObjectsGranted } from '../granted-changes.ts'
import { isProtected } from '../owned-objects.ts'
import { defineRead, type ReadContext } from '../read-operation.ts'

/** What is owned: `{ owners: [{ object, owner }] }`. */
export const getObjectOwners = defineRead({
  type: 'get_object_owners',
  effects: 'none',
  scope: 'read',
  args: getObjectOwnersArgs,
  async answer({ owner, objects }, { served }) {
    const { document } = served.current
    const { owners } = served.store
    if (owners.size === 0) return { owners: [] }
    const stretches = new Stretches()
    const isOwned = (its: string | null) => its !== null && (owner === undefined || its === owner)
    const found = await stretches.run(findOwned(document, owners, isOwned, matcher(objects)))
    return { owners: found.map(({ object, its }) => ({ object, owner: its })) }
  },
})

/** Assigns objects to another owner or to none; returns `{ changed: number }`. */
export const setObjectOwners = defineRead({
  type: 'set_object_owners',
  effects: 'lasting',
  scope: 'change',
  args: setObjectOwnersArgs,
  answer: ({ owner, from, objects }, context) =>
    // what is found still belongs to the same when it is assigned
    context.exclusively(async ({ document }) => {
      const { served, path } = context
      const { owners } = served.store
      const changes = (its: string | null) => its !== owner && (from === undefined || its === from)
      const stretches = new Stretches()
      const found = await stretches.run(findOwned(document, owners, changes, matcher(objects)))
      const others = new Map<string, number>(owner === null ? [] : [[owner, 0]])
      for (const { its } of found) if (its !== null) others.set(its, (others.get(its) ?? 0) + 1)
      const addresses = found.map(({ address }) => address)
      requireOwn([...others.keys()], addresses, context, path)
      if (addresses.length > 0) await served.setOwners(addresses.map(addressText), owner)
      for (const [its, count] of others)
        if (count > 0 && its !== context.facts.owner) context.overruled.push({ owner: its, objects: count })
      return { changed: addresses.length }
    }),
})

/** Throws access-denied for what the token does not allow, and where another client owns it and protects it. */
function requireOwn(
  owners: readonly string[],
  addresses: readonly ObjectAddress[],
  { session, facts, served }: ReadContext,
  path: Path,
): void {
  const { owner = null } = facts
  if (session.access)
    requireObjectsGranted(
      session.access,
      () => addresses,
      owner,
      () => path,
    )
  const other = owners.find((one) => one !== owner)
  if (other === undefined || !isProtected(served, { session, facts })) return
  throw new ApiError('access-denied', path, `only "${other}" may release or take what it owns`, { status: 403 })
}

interface Owned {
  readonly address: ObjectAddress
  readonly object: JsonObject
  readonly its: string | null
}

/** Objects whose owner and name are wanted, in pieces: a stack may own all of thousands. */
function* findOwned(
  document: MetadataDocument,
  owners: ReadonlyMap<string, string>,
  isOwner: (its: string | null) => boolean,
  isWanted: (object: JsonObject) => boolean,
): LongWork<Owned[]> {
  const found: Owned[] = []
  for (const { address } of yield* diffDocumentsInPieces({ children: {} }, document)) {
    yield 1
    const its = owners.get(addressText(address)) ?? null
    if (!isOwner(its)) continue
    const object = named(document, address)
    if (isWanted(object)) found.push({ address, object, its })
  }
  return found
}

/** As the change log has it. */
function named(document: MetadataDocument, address: ObjectAddress): JsonObject {
  const { type, name, key } = objectName(keyedObject(document, address))
  return { type, name, key }
}

/** Whether an object is one of those. Names are looked up: a stack names thousands of objects. */
function matcher(wanted: readonly JsonObject[] | undefined): (object: JsonObject) => boolean {
  if (wanted === undefined) return () => true
  const byName = Map.groupBy(wanted, ({ name = null }) => name)
  return (object) =>
    [object.name, null].some((name) => byName.get(name ?? null)?.some((one) => hasAll(object, one)) === true)
}

/** Of the key some members are enough. */
const hasAll = (object: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const own = object[name] ?? null
    return name === 'key' && isRecord(value) && isRecord(own) ? hasAll(own, value) : equalJson(own, value)
  })
