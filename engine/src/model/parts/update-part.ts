import {
  addressText,
  childrenOf,
  equalJson,
  findObject,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
  objectValue,
} from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import {
  anyDeclaredReadKey,
  declaredReadKey,
  inheritedRoleReadKey,
  partReadKey,
  type ReadKey,
  selectReadKey,
  type TableNode,
} from '../graph.ts'
import { hasRole } from '../inherit/inherited-role.ts'
import type { Names } from '../names/claim.ts'
import { claimNames, refuseTakenNames } from '../names/claim-names.ts'
import { compareTexts, documentOrder } from '../names/names.ts'
import { namingOf } from '../naming/source-naming.ts'
import type { TableId } from '../object-ids.ts'
import { ResolutionError } from '../resolve/resolution-error.ts'
import type { ResolveContext } from '../resolve/resolve-context.ts'
import { type Reads, SharedExpressions } from '../resolve/shared-expressions.ts'
import { objectId, tableIdOf } from '../table-id.ts'
import { type DirtyObject, dirtyObjects, unchanged } from '../update/dirty-objects.ts'
import type { Changes } from '../update/find-changes.ts'
import { draftLookup, type ModelDraft, partsOf, type TableChange } from '../update/model-draft.ts'
import { clearFault, plainReason, recordFault } from '../update/record-fault.ts'
import { noReads, recordReads } from '../update/record-reads.ts'
import { changeValue } from './change-value.ts'
import type { OwnSource, Part, Reading } from './part.ts'
import { RecordedContext, type SharedLookup } from './recorded-context.ts'
import { type PartKey, partValue } from './values.ts'

/**
 * Resolves the objects of a part that were edited, stand below what changed, or read what changed; and those of them
 * whose names another one took or returned. One whose meaning is unchanged keeps its value and notifies no one.
 */
export function* updatePart<V, T extends ObjectType>(
  draft: ModelDraft,
  changes: Changes,
  part: Part<V, T>,
): LongWork<void> {
  const dirty = yield* dirtyObjects(
    draft,
    changes,
    part.type,
    part.isOfDatabase ? shapes : columns,
    part.more?.(changes) ?? [],
  )
  if (dirty.length === 0) return
  const lookup = { ...draftLookup(draft), expressions: new SharedExpressions() }
  if (!part.names) {
    let done = 0
    for (const one of dirty) {
      updateOne(draft, part, one, lookup)
      if (++done % piece === 0) yield piece
    }
    return
  }
  // in the order of the document, which decides which is first for a name
  const queue = new Queue(draft, dirty)
  for (let one = queue.next(); one; one = queue.next()) {
    const known = draft.waiting.get(part.type)?.length ?? 0
    updateOne(draft, part, one, lookup)
    for (const at of draft.waiting.get(part.type)?.slice(known) ?? []) queue.add(at)
    yield 1
  }
}

/** Objects between two yields: 0.1 to 0.2 ms. */
const piece = 16

const shapes: readonly TableChange[] = ['all', 'silent']
const columns: readonly TableChange[] = ['all', 'relationships', 'silent']

/** Objects in the order of the document; one that is late comes no more in this update: it has nothing to wait for. */
class Queue {
  readonly #draft: ModelDraft
  readonly #known = new Set<string>()
  #waiting: { readonly one: DirtyObject; readonly order: readonly string[] }[]
  #last: readonly string[] = []

  constructor(draft: ModelDraft, dirty: readonly DirtyObject[]) {
    this.#draft = draft
    this.#waiting = dirty.map((one) => ({ one, order: documentOrder(draft.input.document, one.address) }))
    for (const { address } of dirty) this.#known.add(addressText(address))
    this.#sort()
  }

  add(at: ObjectAddress): void {
    const order = documentOrder(this.#draft.input.document, at)
    if (compareTexts(order, this.#last) <= 0 || this.#known.has(addressText(at))) return
    this.#known.add(addressText(at))
    this.#waiting.push({ one: unchanged(this.#draft, at), order })
    this.#sort()
  }

  next(): DirtyObject | undefined {
    const first = this.#waiting.pop()
    if (first) this.#last = first.order
    return first?.one
  }

  #sort(): void {
    this.#waiting.sort((a, b) => compareTexts(b.order, a.order))
  }
}

function updateOne<V, T extends ObjectType>(
  draft: ModelDraft,
  part: Part<V, T>,
  one: DirtyObject,
  lookup: SharedLookup,
): void {
  const { address: at, object, isNew } = one
  if (part.marksItsTable && at.parent) partsOf(draft, tableIdOf(at.parent))
  if (!object || !hasParent(draft, at)) {
    storeResult(draft, part, one, null, null, noReads)
    if (!isNew) clearFault(draft, addressText(at))
    return
  }
  draft.rebuilt++
  const reads: Reads = { keys: null }
  try {
    const reading = new ObjectReading(draft, at, reads, lookup)
    const value = part.resolve({ at, object, value: objectValue(object, part.type), input: draft.input }, reading)
    const names = part.names?.(value, reading) ?? null
    if (names) refuseTakenNames(draft, at, names, reads)
    storeResult(draft, part, one, value, names, reads.keys ?? noReads)
    if (!isNew) clearFault(draft, addressText(at))
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error
    storeResult(draft, part, one, null, null, reads.keys ?? noReads)
    recordFault(draft, at, object, titled(part, object, error), part.definition)
  }
}

const titled = (part: Pick<Part<unknown>, 'title'>, object: MetadataObject, error: ResolutionError): ResolutionError =>
  error.detail.bare || !part.title
    ? error
    : new ResolutionError(`in ${part.title(object)}: ${error.message}`, error.detail)

/**
 * Below a parent that is not served, objects are silently absent (reference/metadata-document#inconsistent-objects).
 */
function hasParent(draft: ModelDraft, { parent }: ObjectAddress): boolean {
  if (!parent) return true
  switch (parent.type) {
    case 'source':
      return sourceAbove(draft, parent) !== null
    case 'table':
      return draft.graph.nodes.get(tableIdOf(parent))?.served === true
    default:
      return partValue(draft, { key: parent.type }, objectId(parent)) !== undefined
  }
}

/** Stores the outcome of resolving an object, without its fault. */
function storeResult<V>(
  draft: ModelDraft,
  part: Omit<Part<V>, 'resolve' | 'type'>,
  { address: at, object, old, isNew }: DirtyObject,
  value: V | null,
  names: Names | null,
  reads: ReadonlySet<ReadKey>,
): void {
  // nothing is remembered of what is new: most objects of a first build read nothing, and 200,000 of them need no keys
  if (!isNew || reads.size > 0) recordReads(draft, at, reads)
  if (part.names) claimNames(draft, at, names?.claims ?? [])
  if (!part.store) {
    changeValue(draft, part, at, objectId(at), value)
    return
  }
  const shown = object ?? old
  if (!shown) return
  const before = part.store.get(draft, at, shown)
  const same = part.same ?? equalJson
  if (value === null ? before !== undefined : before === undefined || !same(before, value))
    part.store.set(draft, at, shown, value)
}

function sourceAbove(draft: ModelDraft, at: ObjectAddress): OwnSource | null {
  if (at.parent) return sourceAbove(draft, at.parent)
  const object = at.type === 'source' ? childrenOf(draft.input.document, 'source').get(at.own) : undefined
  const name = String(object?.value.name)
  const state = draft.input.sources.get(name)
  if (!object || state?.status !== 'ready') return null
  return { own: at.own, name, object, state, naming: namingOf(object, draft.input.settings.namingConvention ?? null) }
}

/** Made for each of 200,000 objects of a first build: what it has is made when it is requested. */
class ObjectReading implements Reading {
  readonly #draft: ModelDraft
  readonly #at: ObjectAddress
  readonly #reads: Reads
  readonly #lookup: SharedLookup

  constructor(draft: ModelDraft, at: ObjectAddress, reads: Reads, lookup: SharedLookup) {
    this.#draft = draft
    this.#at = at
    this.#reads = reads
    this.#lookup = lookup
  }

  get tables(): ResolveContext {
    return new RecordedContext(this.#lookup, this.#table, this.#reads)
  }

  get source(): OwnSource {
    const source = sourceAbove(this.#draft, this.#at)
    if (!source) throw new Error(`no source above ${addressText(this.#at)}`)
    return source
  }

  get table(): TableNode {
    const node = this.#draft.graph.nodes.get(this.#table)
    if (!node) throw new Error(`no table above ${addressText(this.#at)}`)
    return node
  }

  get #table(): TableId {
    return this.#at.parent?.type === 'table' ? tableIdOf(this.#at.parent) : ''
  }

  get value() {
    return <V>(part: PartKey<V>, id: string): V | null => {
      this.note(partReadKey(part.key, id))
      return partValue(this.#draft, part, id) ?? null
    }
  }

  get isDeclared() {
    return (other: ObjectAddress): boolean => {
      this.note(anyDeclaredReadKey(other.type))
      this.note(declaredReadKey(other.type, objectId(other)))
      return findObject(this.#draft.input.document, other) !== undefined
    }
  }

  get whyNotServed() {
    return (source: string): string => {
      const state = this.#draft.input.sources.get(source)
      return state?.status === 'unavailable' && state.backend === null ? ` (${plainReason(state.reason)})` : ''
    }
  }

  get maySelect() {
    return (table: TableId, role: string): boolean => {
      const { inheritedRoles, tableParts, tables } = this.#draft
      const inherited = inheritedRoles.get(role)
      this.note(inheritedRoleReadKey(role))
      for (const one of [role, ...(inherited?.ancestors ?? [])]) this.note(selectReadKey(table, one))
      const permitting = tableParts.get(table) ?? tables.get(table)
      return permitting !== undefined && hasRole(permitting.selectPermissions, role, inherited)
    }
  }

  get note() {
    return (key: ReadKey): void => {
      this.#reads.keys = (this.#reads.keys ?? new Set()).add(key)
    }
  }
}
