import {
  diffDocuments,
  findObject,
  type Json,
  keyedObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectChange,
  type ObjectName,
  objectKinds,
  objectName,
} from '@svc/schema'
import type { Envelope } from '../client/index.ts'
import { catalogue, kindsOfType, rankOf } from '../resources/index.ts'
import { type Difference, differences } from './differences.ts'
import { equalMeaning } from './normal-form.ts'
import { type ObjectPlace, operationsOf } from './object-operations.ts'
import { redactDifferences } from './redact.ts'

export interface PlannedChange {
  readonly change: ObjectChange['change']
  readonly address: ObjectAddress
  readonly name: ObjectName
  /** What an update changes, to be shown: without secrets. Empty for creations and deletions. */
  readonly differences: readonly Difference[]
  /** Empty: goes with the object above it. Null: only a replacement of the document can do it. */
  readonly operations: readonly Envelope[] | null
}

/** The steps from one document to the other, in an order in which each step can be sent by itself. */
export interface Plan {
  readonly changes: readonly PlannedChange[]
  readonly wanted: MetadataDocument
}

/** Compares what an engine has with what is wanted. */
export function planChanges(live: MetadataDocument, wanted: MetadataDocument): Plan {
  const changes = diffDocuments(live, wanted)
    .filter(hasMeaning)
    .map((change) => plannedChange(change, live, wanted))
  return { changes: changes.sort((a, b) => phaseOf(a) - phaseOf(b)), wanted }
}

/** Not one that only spells the same in another way. */
function hasMeaning({ address, old, new: now }: ObjectChange): boolean {
  return !old || !now || !kindsOfType(address.type).some((kind) => equalMeaning(kind, old.value, now.value))
}

/**
 * Drops before creations, so that names are free; what other objects depend on is there before and after them. Kinds
 * that no operation makes are dropped first and made last.
 */
function phaseOf({ change, address }: PlannedChange): number {
  const rank = rankOf(address.type)
  const place = rank < 0 ? 0 : catalogue.length - rank
  return change === 'delete' ? place : 2 * (catalogue.length + 1) - place
}

function plannedChange(change: ObjectChange, live: MetadataDocument, wanted: MetadataDocument): PlannedChange {
  const { address } = change
  const document = change.new ? wanted : live
  const goesWithParent = change.change === 'delete' && address.parent !== null && !findObject(wanted, address.parent)
  return {
    change: change.change,
    address,
    name: objectName(keyedObject(document, address)),
    differences: change.change === 'update' ? shownDifferences(change) : [],
    operations: goesWithParent ? [] : operationsOf(change, placeOf(document, address)),
  }
}

const shownDifferences = ({ address, old, new: now }: ObjectChange): readonly Difference[] =>
  redactDifferences(address.type, differences(old?.value, now?.value))

function placeOf(document: MetadataDocument, address: ObjectAddress): ObjectPlace | null {
  const chain: ObjectAddress[] = []
  for (let at: ObjectAddress | null = address; at; at = at.parent) chain.unshift(at)
  const objects = chain.slice(0, -1).map((at) => [at.type, findObject(document, at)] as const)
  const above = objects.map(([type, object]): readonly [string, Json] => [
    type,
    (object && Object.values(objectKinds[type].key(object.value))[0]) ?? null,
  ])
  const [root] = chain
  if (root?.type !== 'source') return { kind: null, above: Object.fromEntries(above) }
  const source = findObject(document, root)
  return source ? { kind: String(source.value.kind), above: Object.fromEntries(above) } : null
}
