import { addressText, equalJson, type ObjectAddress } from '@svc/schema'
import type { TypeSystem } from '../../backends/index.ts'
import { anyScalarReadKey, nameReadKey, type ReadKey, scalarReadKey } from '../graph.ts'
import type { RootFieldOwner } from '../root-owner.ts'
import { addressOfTable } from '../table-id.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import type { Claim, Names, RootClaim, TypeClaim } from './claim.ts'
import { relatedTypes } from './derived-types.ts'
import { addressOfOwner, clash, precedes, sameAddress, setRootField, setType } from './names.ts'
import { isReservedField, isReservedType, userOfScalar } from './reserved-names.ts'

/**
 * Throws a resolution error when an object that comes before `mine` has one of the names; notes in `reads` all names
 * that were read, so that the object is resolved again once one of them is returned.
 */
export function refuseTakenNames(
  draft: ModelDraft,
  mine: ObjectAddress,
  { claims, at, scalars = [], scalarsAt = at, types, words }: Names,
  reads: Reads,
): void {
  for (const claim of claims) {
    const owner =
      claim.kind === 'root' ? ownerOfField(draft, mine, claim, reads) : ownerOfType(draft, mine, claim, types, reads)
    if (owner === null) continue
    const what = claim.kind === 'root' ? claim.root : 'type'
    throw clash(draft, { what, names: [claim.name], owner: owner === 'engine' ? undefined : owner, at }, words)
  }
  for (const name of scalars) {
    note(reads, nameReadKey(name))
    const owner = draft.graph.types.get(name)
    if (owner?.type === 'table') throw clash(draft, { what: 'type', names: [name], owner, at: scalarsAt })
  }
}

/** What an object read so far. */
interface Reads {
  keys: Set<ReadKey> | null
}

const note = (reads: Reads, key: ReadKey): void => {
  reads.keys = (reads.keys ?? new Set()).add(key)
}

/** The owner of a name that comes before the object that claims it; `engine`: no object can have it. */
type Owner = ObjectAddress | 'engine' | null

function ownerOfField(draft: ModelDraft, mine: ObjectAddress, { root, key }: RootClaim, reads: Reads): Owner {
  note(reads, nameReadKey(key))
  if (isReservedField(key)) return 'engine'
  const [table] = draft.namespaces.get(key) ?? []
  if (table !== undefined) return addressOfTable(table)
  const owner = draft.roots[root].get(key)
  return owner ? before(draft, mine, addressOfOwner(owner)) : null
}

function ownerOfType(
  draft: ModelDraft,
  mine: ObjectAddress,
  claim: TypeClaim,
  types: TypeSystem | undefined,
  reads: Reads,
): Owner {
  const { name, isRow } = claim
  // another engine of this kind has the same types as ours
  if (isReservedType(draft, name)) return claim.shared === undefined ? 'engine' : null
  for (const candidate of isRow ? [name, ...relatedTypes(name)] : [name]) {
    note(reads, nameReadKey(candidate))
    const owner = draft.graph.types.get(candidate)
    // what is derived from a row type belongs to it, and that is named like it is not of a row
    const counts = owner && !isShared(draft, owner, claim) && (candidate === name || isRowType(draft, owner, candidate))
    const found = counts ? before(draft, mine, owner) : null
    if (found) return found
  }
  if (!isRow || types === undefined) return null
  note(reads, anyScalarReadKey)
  note(reads, scalarReadKey(name))
  const user = userOfScalar(draft, name, types)
  return user === undefined ? null : addressOfTable(user)
}

/** Whether its owner has the name of the same type. */
const isShared = ({ graph }: ModelDraft, owner: ObjectAddress, { name, shared }: TypeClaim): boolean =>
  shared !== undefined &&
  (graph.claims.get(addressText(owner)) ?? noClaims).some(
    (claim) => claim.kind === 'type' && claim.name === name && claim.shared === shared,
  )

/** Tables have hardly any other types. */
const isRowType = ({ graph }: ModelDraft, owner: ObjectAddress, name: string): boolean =>
  owner.type === 'table' ||
  (graph.claims.get(addressText(owner)) ?? []).some(
    (claim) => claim.kind === 'type' && claim.isRow && claim.name === name,
  )

const before = (draft: ModelDraft, mine: ObjectAddress, owner: ObjectAddress): ObjectAddress | null =>
  sameAddress(owner, mine) || !precedes(draft, owner, mine) ? null : owner

/**
 * Assigns an object exactly these names. An owner of one of them that comes later in order is notified, and so are
 * objects that waited for a released one.
 */
export function claimNames(draft: ModelDraft, mine: ObjectAddress, claims: readonly Claim[]): void {
  const key = addressText(mine)
  const old = draft.graph.claims.get(key) ?? noClaims
  if (old.length === 0 && claims.length === 0) return
  for (const claim of old) if (!claims.some((one) => sameName(one, claim))) release(draft, mine, claim)
  for (const claim of claims) take(draft, mine, claim)
  if (claims.length === 0) draft.graph.claims.delete(key)
  else if (!equalJson(old, claims)) draft.graph.claims.set(key, claims)
}

const noClaims: readonly Claim[] = []

const sameName = (a: Claim, b: Claim): boolean =>
  a.kind === 'root' ? b.kind === 'root' && a.root === b.root && a.key === b.key : b.kind === 'type' && a.name === b.name

function release(draft: ModelDraft, mine: ObjectAddress, claim: Claim): void {
  if (claim.kind === 'root') {
    if (sameOwner(draft.roots[claim.root].get(claim.key), claim.owner)) setRootField(draft, claim.root, claim.key, null)
    return
  }
  const owner = draft.graph.types.get(claim.name)
  if (owner && sameAddress(owner, mine)) setType(draft, claim.name, null)
}

function take(draft: ModelDraft, mine: ObjectAddress, claim: Claim): void {
  if (claim.kind === 'root') {
    const { root, key, owner } = claim
    if (!sameOwner(draft.roots[root].get(key), owner)) setRootField(draft, root, key, owner)
    return
  }
  const owner = draft.graph.types.get(claim.name)
  if (owner && isShared(draft, owner, claim)) return
  if (!owner || !sameAddress(owner, mine)) setType(draft, claim.name, mine)
}

const sameOwner = (a: RootFieldOwner | undefined, b: RootFieldOwner): boolean => a !== undefined && equalJson(a, b)
