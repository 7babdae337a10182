import type { TableId } from '../../model/index.ts'
import { typesOfTable } from '../introspection/all-types.ts'
import { mentionedBy, refsOfField } from '../introspection/mentioned-by.ts'
import { typesOfWriting } from '../introspection/types-of-writing.ts'
import { directives } from '../types/directives.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type NamedRef, type NamedType, namedOf } from '../types/type.ts'
import { mayMention } from './may-mention.ts'
import { referencing } from './references.ts'
import { otherRootFields, type RootField, tableRootFields } from './root-fields.ts'

/** Types that stand and fall together: those of one table, or all that belong to no table. */
export interface TypeGroup {
  readonly rootFields: readonly RootField[]
  /** Those of the table. */
  readonly own: ReadonlyMap<string, NamedType>
  /** Those that they mention and that belong to no table. */
  readonly shared: ReadonlyMap<string, NamedType>
  /** Names of the types of the group, or `root`, by the name of what they mention. */
  readonly mentioners: ReadonlyMap<string, ReadonlySet<string>>
}

/** Which types of a role mention which others, made as far as it is read. */
export interface TypeGraph {
  readonly schema: RoleSchema
  group(id: TableId): TypeGroup
  /** Root fields and types that belong to no table: those of functions, native queries, actions and remote schemas. */
  others(): TypeGroup
  /** Whether a root field leads to a type, over any number of others. `owner`: the table that it belongs to. */
  isReached(name: string, owner: TableId | null): boolean
}

/** Stands for every root type. */
const root = '<root>'

export function typeGraph(schema: RoleSchema): TypeGraph {
  const groups = new Map<TableId, TypeGroup>()
  let others: TypeGroup | null = null
  const known = new Map<string, boolean>()
  const graph: TypeGraph = {
    schema,
    group(id) {
      const made = groups.get(id) ?? groupOf(schema, tableRootFields(schema, id), ownTypes(schema, id))
      groups.set(id, made)
      return made
    },
    others() {
      others ??= groupOf(schema, otherRootFields(schema), [])
      return others
    },
    isReached(name, owner) {
      const seen = new Set<string>()
      const reached = search(name, owner, null, seen)
      if (!reached) for (const one of seen) known.set(one, false)
      return reached
    },
  }
  const search = (name: string, owner: TableId | null, from: From | null, seen: Set<string>): boolean => {
    if (isAlwaysReached(name)) return true
    const before = known.get(name)
    if (before !== undefined || seen.has(name)) return before ?? false
    seen.add(name)
    for (const { id, group } of mentioningGroups(graph, name, owner, from))
      for (const by of group.mentioners.get(name) ?? [])
        if (by === root || search(by, group.own.has(by) ? id : null, { id, group }, seen)) {
          known.set(name, true)
          return true
        }
    return false
  }
  return graph
}

interface From {
  readonly id: TableId | null
  readonly group: TypeGroup
}

const ofDirectives = [...directives.values()].flatMap(({ args }) =>
  [...args.values()].map(({ type }) => namedOf(type).name),
)
const alwaysReached = new Set(['String', 'Boolean', ...ofDirectives])

/** Returns whether introspection itself or a directive mentions a type. */
const isAlwaysReached = (name: string): boolean => alwaysReached.has(name) || name.startsWith('__')

/** Yields the groups that may mention a type, the most probable one first. */
function* mentioningGroups(
  graph: TypeGraph,
  name: string,
  owner: TableId | null,
  from: From | null,
): Generator<From, void> {
  const { model } = graph.schema
  if (from) yield from
  if (owner !== null) {
    if (from?.id !== owner) yield { id: owner, group: graph.group(owner) }
    for (const id of referencing(model, owner)) if (isSeen(graph, id)) yield { id, group: graph.group(id) }
    yield { id: null, group: graph.others() }
    return
  }
  yield { id: null, group: graph.others() }
  for (const rows of [model.tables, model.logicalRows])
    for (const [id, table] of rows)
      if (mayMention(graph.schema, table, name) && isSeen(graph, id)) yield { id, group: graph.group(id) }
}

const isSeen = ({ schema }: TypeGraph, id: TableId): boolean =>
  schema.visibleTable(id) !== undefined || schema.writeTable(id) !== undefined

function ownTypes(schema: RoleSchema, id: TableId): readonly NamedType[] {
  const types = schema.tableTypes(id)
  const written = schema.writeTypes(id)
  return [...(types ? typesOfTable(types) : []), ...(written ? typesOfWriting(written) : [])]
}

function groupOf(schema: RoleSchema, rootFields: readonly RootField[], types: readonly NamedType[]): TypeGroup {
  const own = new Map<string, NamedType>()
  for (const type of types) if (!own.has(type.name)) own.set(type.name, type)
  const shared = new Map<string, NamedType>()
  const mentioners = new Map<string, Set<string>>()
  const waiting: NamedType[] = [...own.values()]
  const mention = (by: string, refs: readonly NamedRef[]) => {
    for (const ref of refs) {
      const users = mentioners.get(ref.name) ?? new Set()
      mentioners.set(ref.name, users.add(by))
      if (ref.table !== undefined || own.has(ref.name) || shared.has(ref.name)) continue
      const type = ref.find(schema)
      shared.set(ref.name, type)
      waiting.push(type)
    }
  }
  for (const { field } of rootFields) mention(root, refsOfField(field))
  for (let type = waiting.pop(); type; type = waiting.pop()) mention(type.name, mentionedBy(type, schema))
  return { rootFields, own, shared, mentioners }
}
