import {
  address,
  changesOf,
  childrenOf,
  diffDocumentsInPieces,
  emptyDocument,
  equalJson,
  groupedChanges,
  type MetadataObject,
  type ObjectAddress,
  type ObjectChange,
  type ObjectType,
} from '@svc/schema'
import { changedTables } from '../../backends/index.ts'
import type { LongWork } from '../../long-work.ts'
import type { CheckedQuery, SourceState } from '../../sources/index.ts'
import { databaseTypeReadKey, functionReadKey, type ReadKey, verdictReadKey } from '../graph.ts'
import type { Model } from '../model.ts'
import type { ModelInput } from '../model-settings.ts'
import { namingOf } from '../naming/source-naming.ts'
import type { TableId } from '../object-ids.ts'
import { tableIdOf } from '../table-id.ts'
import { enumUsers } from './enum-users.ts'
import type { TableOfDocument } from './table-of-document.ts'

export interface Changes {
  readonly objects: readonly ObjectChange[]
  readonly byType: ReadonlyMap<ObjectType, readonly ObjectChange[]>
  /**
   * Addresses, the very ones in `objects`, of tables that are new: all below them is new as well, and is in `objects`.
   */
  readonly newTables: ReadonlySet<ObjectAddress>
  readonly newTableIds: ReadonlySet<TableId>
  /** Sources of the document whose state is another one than before. */
  readonly sources: readonly MetadataObject[]
  /** Those of them that can be reached now and could not before, or the reverse, or that name things otherwise. */
  readonly turnedSources: readonly ObjectAddress[]
  /** What the databases of sources have otherwise than before: functions, types, what they say of native queries. */
  readonly database: readonly ReadKey[]
  /** Tables of the document whose database side may have changed. */
  readonly tables: readonly TableOfDocument[]
}

/** What is not as it was: documents by their shared structure, introspections table by table by reference. */
export function* findChanges(previous: Model | null, input: ModelInput): LongWork<Changes> {
  const before = previous?.input
  const objects = yield* diffDocumentsInPieces(before?.document ?? emptyDocument, input.document)
  const sources: MetadataObject[] = []
  const tables: TableOfDocument[] = []
  const turnedSources: ObjectAddress[] = []
  const database: ReadKey[] = []
  for (const [own, source] of childrenOf(input.document, 'source')) {
    const name = String(source.value.name)
    const sourceBefore = before && childrenOf(before.document, 'source').get(own)
    const old = sourceBefore ? before.sources.get(name) : undefined
    const now = input.sources.get(name)
    const isRenamed = sourceBefore !== undefined && !sameNaming(sourceBefore, source, input.settings)
    if (sourceBefore && old === now && !isRenamed) continue
    sources.push(source)
    const at = address('source', own)
    if (isRenamed || old?.status !== now?.status || old?.backend !== now?.backend) turnedSources.push(at)
    database.push(...changedFunctions(name, old, now), ...changedQueries(name, old, now))
    const children = childrenOf(source, 'table')
    for (const ownTable of (!isRenamed && tablesThatDiffer(old, now)) || children.keys()) {
      const object = children.get(ownTable)
      if (object) tables.push({ address: address('table', ownTable, at), object })
    }
  }
  yield piece
  const changedTables = changesOf(objects, ['table'])
  const newTables = new Set(changedTables.flatMap(({ change, address: at }) => (change === 'create' ? [at] : [])))
  yield piece
  const changed = [...changedTables, ...tables].map((one) => one.address)
  const users = before ? yield* enumUsers(before, input, changed) : []
  return {
    objects,
    byType: groupedChanges(objects),
    newTables,
    newTableIds: new Set([...newTables].map(tableIdOf)),
    sources,
    turnedSources,
    database,
    tables: users.length > 0 ? [...tables, ...users] : tables,
  }
}

/** What a pass over all changes counts as. */
const piece = 256

function sameNaming(
  a: MetadataObject,
  b: MetadataObject,
  { namingConvention = null }: ModelInput['settings'],
): boolean {
  if (a.value.customization === b.value.customization) return true
  return equalJson(namingOf(a, namingConvention), namingOf(b, namingConvention))
}

function changedFunctions(source: string, old: SourceState | undefined, now: SourceState | undefined): ReadKey[] {
  if (!now || old?.functions === now.functions) return []
  return [...now.functions].flatMap(([own, named]) =>
    old?.functions.get(own)?.overloads === named.overloads ? [] : [functionReadKey(source, own)],
  )
}

function changedQueries(source: string, old: SourceState | undefined, now: SourceState | undefined): ReadKey[] {
  if (!old || !now || old.queries === now.queries) return []
  return [
    ...changedKeys(old.queries.types, now.queries.types, equalJson).map((name) => databaseTypeReadKey(source, name)),
    ...changedKeys(old.queries.checked, now.queries.checked, sameVerdict).map((own) => verdictReadKey(source, own)),
  ]
}

const sameVerdict = (a: CheckedQuery | undefined, b: CheckedQuery | undefined): boolean =>
  a === b || equalJson(a?.verdict, b?.verdict)

function changedKeys<T>(
  old: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
  same: (a: T | undefined, b: T | undefined) => boolean,
): readonly string[] {
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => !same(old.get(key), now.get(key)))
}

/** Keys of tables whose database side may be another one; null: all. */
function tablesThatDiffer(old: SourceState | undefined, now: SourceState | undefined): Iterable<string> | null {
  if (old?.status !== 'ready' || now?.status !== 'ready') return old && old.status === now?.status ? [] : null
  if (old.backend !== now.backend) return null
  const keys = changedTables(old.introspection.tables, now.introspection.tables)
  if (old.enums === now.enums) return keys
  return new Set([...keys, ...changedKeys(old.enums, now.enums, (a, b) => a === b)])
}
