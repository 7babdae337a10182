import { setImmediate } from 'node:timers/promises'
import type { ResolvedTable } from '../../model/index.ts'
import { directives } from '../types/directives.ts'
import { type RoleSchema, visibleTargets } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { makeTableTypes } from '../types/table-types.ts'
import { type NamedType, namedOf, refTo, type TypeRef } from '../types/type.ts'
import { mentions, sharedTypes, typesOfTable } from './all-types.ts'
import type { KeptTexts } from './introspection-cache.ts'
import { countSize, type Printer, type World } from './meta-object.ts'
import { wholeQueryRoot, wholeSubscriptionRoot } from './root-types.ts'
import { visibleTables } from './visible-tables.ts'

/** One type of the schema, printed. */
export interface TypeText {
  readonly name: string
  readonly text: string
  readonly mentions: readonly string[]
}

/** The texts of a table's types hold while the table and the targets of its relationships do. */
export interface TableTexts {
  readonly table: RoleTable
  readonly targets: ReadonlyMap<string, RoleTable>
  readonly types: readonly TypeText[]
}

/**
 * The texts of all types that can be reached from the roots, sorted by name (spec 02 §7.4). Texts of a table are
 * kept from one model to the next: at 1,000 tables joining them takes a tenth of printing them.
 */
export function allTypeTexts(world: World, printer: Printer<TypeRef>, schemaType: NamedType): readonly string[] {
  const { schema } = world
  const tables = visibleTables(schema)
  const kept = keptTexts(world, printer)
  const byName = new Map<string, TypeText>()
  const add = (text: TypeText) => {
    if (!byName.has(text.name)) byName.set(text.name, text)
  }
  const print = textOf(world, printer)
  const subscriptionRoot = wholeSubscriptionRoot(schema)
  const roots = [wholeQueryRoot(schema), ...(subscriptionRoot ? [subscriptionRoot] : []), schemaType]
  for (const type of [...roots, ...sharedTypes(schema)]) add(print(type))
  for (const table of tables) for (const text of tableTexts(schema, table, kept, print, world)) add(text)
  return reached(byName)
}

const keptTexts = ({ kept, schema }: World, { key }: Printer<TypeRef>): KeptTexts =>
  kept.texts(schema.role, `${schema.api} ${key}`)

const textOf =
  (world: World, printer: Printer<TypeRef>) =>
  (type: NamedType): TypeText => ({
    name: type.name,
    text: printer.print(refTo(type), world),
    mentions: mentions(type),
  })

const patience = 10

/**
 * Prints what is not kept yet, letting other requests in between: at 1,000 tables the first introspection of a role
 * takes half a second, the joining that follows a fifth of that.
 */
export async function warmTypeTexts(world: World, printer: Printer<TypeRef>): Promise<void> {
  const { schema } = world
  const kept = keptTexts(world, printer)
  const print = textOf(world, printer)
  let since = performance.now()
  for (const table of visibleTables(schema)) {
    tableTexts(schema, table, kept, print, { ...world, size: 0 })
    if (performance.now() - since < patience) continue
    await setImmediate()
    since = performance.now()
  }
}

function tableTexts(
  schema: RoleSchema,
  table: RoleTable,
  kept: KeptTexts,
  print: (type: NamedType) => TypeText,
  world: World,
): readonly TypeText[] {
  const targets = visibleTargets(schema.model, schema.role, table)
  const resolved: ResolvedTable = table.table
  const known = kept.get(resolved)
  if (known && known.table === table && sameTargets(known.targets, targets)) {
    for (const { text } of known.types) countSize(world, text)
    return known.types
  }
  const types = typesOfTable(
    makeTableTypes(schema.api, table, targets, !schema.model.input.settings.hideAggregationPredicates),
  ).map(print)
  kept.put(resolved, { table, targets, types })
  return types
}

function sameTargets(a: ReadonlyMap<string, RoleTable>, b: ReadonlyMap<string, RoleTable>): boolean {
  if (a.size !== b.size) return false
  for (const [name, target] of a) if (b.get(name) !== target) return false
  return true
}

const mentionedByDirectives = [...directives.values()].flatMap(({ args }) =>
  [...args.values()].map(({ type }) => namedOf(type).name),
)

function reached(types: ReadonlyMap<string, TypeText>): readonly string[] {
  const names = new Set<string>(['query_root', 'subscription_root', '__Schema', ...mentionedByDirectives])
  for (const name of names) for (const mentioned of types.get(name)?.mentions ?? []) names.add(mentioned)
  return [...names].sort().flatMap((name) => types.get(name)?.text ?? [])
}
