import type { LongWork } from '../../long-work.ts'
import type { TableId } from '../../model/index.ts'
import { mentionedBy, refsOfField } from '../introspection/mentioned-by.ts'
import { possibleTypes } from '../introspection/possible-types.ts'
import { roleSchema } from '../types/role-schema.ts'
import type { NamedRef, NamedType } from '../types/type.ts'
import { affectedBy } from './affected.ts'
import type { ModelPair } from './model-pair.ts'
import { rootVersions } from './root-versions.ts'
import type { SchemaChange } from './schema-change.ts'
import { typeChanges } from './type-changes.ts'
import { type TypeGraph, type TypeGroup, typeGraph } from './type-graph.ts'

/**
 * Returns how a role's schema changes from one model to the other: what graphql-js says of both introspections,
 * computed only from what the change touches. A type counts as added or removed where a root field begins or ceases to
 * lead to it.
 */
export function* compareSchemas(pair: ModelPair, role: string, backendOnly = false): LongWork<readonly SchemaChange[]> {
  const before = typeGraph(roleSchema(pair.before, role, 'graphql', backendOnly))
  const after = typeGraph(roleSchema(pair.after, role, 'graphql', backendOnly))
  const { tables, others } = affectedBy(pair, before.schema, after.schema)
  const groups: GroupVersions[] = []
  for (const id of tables) {
    yield 1
    groups.push({ id, before: before.group(id), after: after.group(id) })
  }
  if (others) groups.push({ id: null, before: before.others(), after: after.others() })
  const possible = { before: membersIn(before), after: membersIn(after) }
  const roots = rootVersions(groups, before.schema, after.schema)
  const changes = roots.flatMap((versions) => typeChanges(versions, possible))
  const versions = versionsOf(groups)
  const waiting = [...versions.values(), ...ofRootFields(groups)]
  const done = new Set<string>()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (done.has(next.name)) continue
    done.add(next.name)
    yield 1
    const one = versions.get(next.name) ?? next
    const wasReached = before.isReached(one.name, one.owner)
    const isReached = after.isReached(one.name, one.owner)
    if (!wasReached && !isReached) continue
    const old = wasReached ? (one.before ?? (isReached ? null : find(one, before))) : null
    const now = isReached ? (one.after ?? (wasReached ? null : find(one, after))) : null
    // reached in both, and no affected table has it in both: it is the same
    if (wasReached && isReached && !(old && now)) continue
    const found = old === now ? [] : typeChanges({ before: old, after: now }, possible)
    if (found.length === 0) continue
    changes.push(...found)
    for (const [type, graph] of [
      [old, before],
      [now, after],
    ] as const)
      if (type) for (const ref of mentionedBy(type, graph.schema)) waiting.push(mention(ref, one.owner, graph))
  }
  return changes.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const membersIn =
  ({ schema }: TypeGraph) =>
  (type: NamedType) =>
    type.kind === 'UNION' ? possibleTypes(type, schema) : []

interface GroupVersions {
  /** Null: of what belongs to no table. */
  readonly id: TableId | null
  readonly before: TypeGroup
  readonly after: TypeGroup
}

/** A type that may have changed, or that a root field may have begun or ceased to lead to. */
interface Candidate {
  readonly name: string
  readonly owner: TableId | null
  /** As affected tables have it; null: none of them does. */
  readonly before: NamedType | null
  readonly after: NamedType | null
  /** Where it was mentioned. */
  readonly ref: NamedRef | null
}

const find = ({ before, after, ref }: Candidate, { schema }: TypeGraph): NamedType | null =>
  before ?? after ?? ref?.find(schema) ?? null

/** The types of the affected tables, those left out that are of no table and the same. */
function versionsOf(groups: readonly GroupVersions[]): ReadonlyMap<string, Candidate> {
  const found = new Map<string, Candidate>()
  const add = (name: string, owner: TableId | null, before: NamedType | null, after: NamedType | null) => {
    const known = found.get(name)
    if (known) found.set(name, { ...known, before: known.before ?? before, after: known.after ?? after })
    else found.set(name, { name, owner, before, after, ref: null })
  }
  const each = (owner: TableId | null, before: Types, after: Types) => {
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(name) ?? null, after.get(name) ?? null]
      if (owner !== null || old !== now) add(name, owner, old, now)
    }
  }
  for (const { id, before, after } of groups) each(id, before.own, after.own)
  for (const { before, after } of groups) each(null, before.shared, after.shared)
  return found
}

type Types = ReadonlyMap<string, NamedType>

const ofRootFields = (groups: readonly GroupVersions[]): readonly Candidate[] =>
  groups.flatMap(({ id, before, after }) =>
    [before, after].flatMap(({ rootFields, own }) =>
      rootFields.flatMap(({ field }) =>
        refsOfField(field).map((ref) => candidate(ref, ref.table ?? (own.has(ref.name) ? id : null))),
      ),
    ),
  )

const candidate = (ref: NamedRef, owner: TableId | null): Candidate => ({
  name: ref.name,
  owner,
  before: null,
  after: null,
  ref,
})

/** `by`: the table of the type that mentions it. */
function mention(ref: NamedRef, by: TableId | null, graph: TypeGraph): Candidate {
  const isOwn = ref.table === undefined && by !== null && graph.group(by).own.has(ref.name)
  return candidate(ref, ref.table ?? (isOwn ? by : null))
}
