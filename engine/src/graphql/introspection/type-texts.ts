import type { ResolvedTable } from '../../model/index.ts'
import { directives } from '../types/directives.ts'
import { type RoleSchema, visibleTargets } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { makeTableTypes } from '../types/table-types.ts'
import { byName, type NamedType, namedOf, type ObjectType, refTo, type TypeRef } from '../types/type.ts'
import { mentions, sharedTypes, typesOfTable } from './all-types.ts'
import type { KeptTexts } from './introspection-cache.ts'
import { countSize, type Printer, type World } from './meta-object.ts'
import type { Patience } from './patience.ts'
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
 * The texts of all types that can be reached from the roots, sorted by name (spec 02 §7.4), made while other requests
 * go on. Texts of a table are kept from one model to the next: joining them takes a fifth of printing them.
 */
export async function allTypeTexts(
  world: World,
  printer: Printer<TypeRef>,
  schemaType: NamedType,
  pause: Patience,
): Promise<readonly string[]> {
  const { schema } = world
  const kept = keptTexts(world, printer)
  const print = textOf(world, printer)
  const texts = new Map<string, TypeText>()
  const add = (text: TypeText) => {
    if (!texts.has(text.name)) texts.set(text.name, text)
  }
  const ofTables: TypeText[] = []
  for (const table of visibleTables(schema)) {
    for (const text of tableTexts(schema, table, kept, print, world)) ofTables.push(text)
    await pause()
  }
  const subscriptionRoot = wholeSubscriptionRoot(schema)
  const roots = [wholeQueryRoot(schema), ...(subscriptionRoot ? [subscriptionRoot] : [])]
  for (const root of roots) {
    await printFields(root, printer, world, pause)
    add(print(root))
    await pause()
  }
  for (const type of [schemaType, ...sharedTypes(schema)]) add(print(type))
  for (const text of ofTables) add(text)
  await pause()
  return reached(texts, pause)
}

const fieldsAtOnce = 100

/** Prints the fields of a root a few at a time; printing the root then finds them. */
async function printFields(
  root: ObjectType<unknown>,
  printer: Printer<TypeRef>,
  world: World,
  pause: Patience,
): Promise<void> {
  const fields = [...root.fields.values()]
  for (const field of fields) world.rootFields.add(field)
  for (let i = 0; i < fields.length; i += fieldsAtOnce) {
    const part = { ...root, fields: byName(fields.slice(i, i + fieldsAtOnce)) }
    printer.print(refTo(part), { ...world, size: 0 })
    await pause()
  }
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

async function reached(types: ReadonlyMap<string, TypeText>, pause: Patience): Promise<readonly string[]> {
  const names = new Set<string>(['query_root', 'subscription_root', '__Schema', ...mentionedByDirectives])
  let seen = 0
  for (const name of names) {
    for (const mentioned of types.get(name)?.mentions ?? []) names.add(mentioned)
    if (++seen % 100 === 0) await pause()
  }
  const sorted = [...names].sort()
  await pause()
  return sorted.flatMap((name) => types.get(name)?.text ?? [])
}
