import {
  isRecord,
  type Json,
  type JsonObject,
  kindOfSource,
  type NameRules,
  nameRules,
  nameStyle,
  recordsIn,
} from '@svc/schema'
import { type Database, type DatabaseFunction, nameOf, type ObjectName } from './database.ts'
import { freeName, graphqlName } from './free-name.ts'
import { suggestRelationships } from './suggest-relationships.ts'

export interface Suggested {
  /** The source with what was chosen among its `tables` and `functions`. What it had is unchanged. */
  readonly source: JsonObject
  /** Sentences: chosen functions that need a table which is not. */
  readonly leftOut: readonly string[]
}

/**
 * A source's entry in metadata with the chosen tables and functions of its database, and the relationships of their foreign keys
 * among them and with tables that it has already. A name that GraphQL does not take, or that is taken, is replaced by a custom one.
 */
export function suggestMetadata(source: JsonObject, database: Database, chosen: Database): Suggested {
  const rules = nameRules[nameStyle(kindOfSource(source))]
  const before = new Map(recordsIn(source.tables).map((entry) => [nameOf(placed(entry.table, rules)), entry]))
  const called = new Map(recordsIn(source.functions).map((entry) => [nameOf(placed(entry.function, rules)), entry]))
  const added = chosen.tables.filter(({ name }) => !before.has(nameOf(name)))
  const present = new Set([...before.keys(), ...added.map(({ name }) => nameOf(name))])
  const isPresent = (name: ObjectName | null) => name !== null && present.has(nameOf(name))

  const routines = chosen.functions.filter(({ name, rowOf }) => rowOf === null && !called.has(nameOf(name)))
  const taken = new Set([
    ...[...before.values()].map((entry) => rootName(entry, entry.table, rules)),
    ...[...called.values()].map((entry) => rootName(entry, entry.function, rules)),
  ])
  const trackable = routines.filter(({ returns }) => isPresent(returns))
  const custom = customNames([...added, ...trackable], taken, rules)

  const related = database.tables.filter(({ name }) => isPresent(name))
  const relationships = suggestRelationships(
    related.map((table) => ({ table, tracked: before.get(nameOf(table.name)) ?? null })),
  )
  const entryOf = (key: string, entry: JsonObject): JsonObject => ({
    ...entry,
    ...grown('object_relationships', entry, relationships.get(key)?.objects),
    ...grown('array_relationships', entry, relationships.get(key)?.arrays),
  })
  const isComputed = ({ rowOf }: DatabaseFunction, of: ObjectName) => rowOf !== null && nameOf(rowOf) === nameOf(of)
  const tables = [
    ...[...before].map(([key, entry]) => entryOf(key, entry)),
    ...added.map(({ name, columns }) => {
      const entry = entryOf(nameOf(name), { table: name, ...custom.get(nameOf(name)) })
      const fields = new Set([...columns, ...recordsIn(entry.object_relationships), ...recordsIn(entry.array_relationships)].map(fieldName)) // biome-ignore format: one line
      const computed = chosen.functions
        .filter((one) => isComputed(one, name))
        .map((one) => ({
          name: freeName(fields, graphqlName(String(one.name.name))),
          definition: { function: one.name },
        }))
      return { ...entry, ...grown('computed_fields', entry, computed) }
    }),
  ]
  const functions = [
    ...called.values(),
    ...trackable.map(({ name }) => ({ function: name, ...custom.get(nameOf(name)) })),
  ]
  const lacking = chosen.functions.filter(({ rowOf, returns, name }) => !called.has(nameOf(name)) && !isPresent(rowOf ?? returns)) // biome-ignore format: one line
  return {
    source: { ...source, tables, ...(functions.length > 0 ? { functions } : {}) },
    leftOut: lacking.map(({ name, rowOf, returns }) => {
      const needed = rowOf ?? returns
      return `function ${nameOf(name)} is left out: it needs the table ${needed ? nameOf(needed) : ''}, which is not chosen`
    }),
  }
}

const fieldName = (field: string | JsonObject): string => (typeof field === 'string' ? field : String(field.name))

const grown = (key: string, entry: JsonObject, more: readonly JsonObject[] = []): JsonObject =>
  more.length > 0 ? { [key]: [...recordsIn(entry[key]), ...more] } : {}

/** A name as metadata may write it, with its schema. */
const placed = (name: Json | undefined, { defaultSchema }: NameRules): ObjectName =>
  isRecord(name) ? { schema: defaultSchema, ...name } : { schema: defaultSchema, name: name ?? '' }

/** What the names of an object's root fields are made of. */
function rootName({ configuration }: JsonObject, name: Json | undefined, rules: NameRules): string {
  if (isRecord(configuration) && typeof configuration.custom_name === 'string') return configuration.custom_name
  const { schema, dataset, name: own } = placed(name, rules)
  return rules.graphqlBase({ schema: String(schema ?? dataset), name: String(own) })
}

/** By name, the configuration of those that cannot be called as they are. Names that are fine come first. */
function customNames(
  objects: readonly { readonly name: ObjectName }[],
  taken: Set<string>,
  rules: NameRules,
): ReadonlyMap<string, JsonObject> {
  const others = objects.filter(({ name }) => {
    const own = rootName({}, name, rules)
    if (own !== graphqlName(own) || taken.has(own)) return true
    taken.add(own)
    return false
  })
  return new Map(
    others.map(({ name }) => [
      nameOf(name),
      { configuration: { custom_name: freeName(taken, graphqlName(rootName({}, name, rules))) } },
    ]),
  )
}
