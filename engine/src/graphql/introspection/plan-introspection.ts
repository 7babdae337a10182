import { keptFor } from '../../kept-for.ts'
import { typeName } from '../../model/index.ts'
import { openArgument, requiredArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { stringValue } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { type NamedType, refTo, type TypeRef } from '../types/type.ts'
import { allTypeTexts } from './all-type-texts.ts'
import { prepareShared, sharedTypes, typesOfTable } from './all-types.ts'
import type { IntrospectionCache } from './introspection-cache.ts'
import { joinTexts, type LaterList } from './join-texts.ts'
import { type PrintContext, type Printer, planSelection, typeListsOf } from './meta-object.ts'
import { schemaMeta, typeListName } from './meta-schema.ts'
import { typeMeta } from './meta-types.ts'
import { newPause } from './pause.ts'
import { wholeMutationRoot, wholeQueryRoot, wholeSubscriptionRoot } from './root-types.ts'
import { typesOfWriting } from './types-of-writing.ts'
import { unseenTables, visibleTables } from './visible-tables.ts'

/** A planned `__schema` or `__type`: returns its JSON for the schema that it is run with, in pieces. */
export type IntrospectionAnswer = (printContext: PrintContext) => Promise<readonly Buffer[]>

/** Returns what the introspection of one request shares. */
export function newPrintContext(
  schema: RoleSchema,
  kept: IntrospectionCache,
  { maxIntrospectionSize: maxSize }: GraphqlSettings,
): PrintContext {
  const count = { size: 0, lookups: 0 }
  const tableTypes: RoleSchema['tableTypes'] = (id) => {
    count.lookups++
    return schema.tableTypes(id)
  }
  const writeTypes: RoleSchema['writeTypes'] = (id) => {
    count.lookups++
    return schema.writeTypes(id)
  }
  return { schema: { ...schema, tableTypes, writeTypes }, kept, maxSize, count, pause: newPause(), later: null }
}

/** `__schema` (reference/queries#directives-and-introspection). */
export function planSchemaField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const typeLists = typeListsOf(context)
  const before = typeLists.length
  const printer = planSelection(context, schemaMeta, selected)
  return schemaAnswer(printer, before, typeLists.slice(before))
}

/** Nothing of the walk is in scope of what is cached with the plan. */
const schemaAnswer =
  (printer: Printer<null>, firstList: number, typeLists: readonly Printer<TypeRef>[]): IntrospectionAnswer =>
  async (printContext) => {
    const lists = new Map<string, readonly Buffer[]>()
    for (const [i, list] of typeLists.entries())
      lists.set(typeListName(firstList + i), await allTypeTexts(printContext, list, schemaMeta, ','))
    return joinPrinted(printContext, printer, null, lists)
  }

async function joinPrinted<V>(
  printContext: PrintContext,
  printer: Printer<V>,
  value: V,
  lists: ReadonlyMap<string, readonly Buffer[]>,
): Promise<readonly Buffer[]> {
  const later: LaterList[] = []
  return joinTexts(printer.print(value, { ...printContext, later }), lists, later, printContext.pause)
}

/** `__type(name:)`: null for a name that the role does not see (reference/queries#directives-and-introspection). */
export function planTypeField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const given = requiredArgument(selected, 'name')
  const name = stringValue(context, openArgument(context, given), given.path)
  return typeAnswer(planSelection(context, typeMeta, selected), name)
}

const typeAnswer =
  (printer: Printer<TypeRef>, name: string): IntrospectionAnswer =>
  async (printContext) => {
    await printContext.pause()
    const type = await typeByName(printContext, name)
    return type ? joinPrinted(printContext, printer, refTo(type), new Map()) : [Buffer.from('null')]
  }

/** Returns what the names of all types of a table contain, whatever a source puts around them. */
function plainName({ table: { baseName, naming } }: RoleTable): string {
  if (baseName === null) return ''
  const text = typeof baseName === 'string' ? typeName(naming.convention, baseName) : baseName.custom
  return text.replace(/^_+/, '')
}

/** A document may request ten thousand types. */
const plainNames = keptFor((schema: RoleSchema) =>
  [...visibleTables(schema), ...unseenTables(schema)].map((table) => ({
    table,
    plain: plainName(table).toLowerCase(),
  })),
)

async function typeByName(printContext: PrintContext, name: string): Promise<NamedType | undefined> {
  const { schema, pause } = printContext
  if (name === 'query_root') return wholeQueryRoot(schema)
  if (name === 'mutation_root') return wholeMutationRoot(schema) ?? undefined
  if (name === 'subscription_root') return wholeSubscriptionRoot(schema) ?? undefined
  if (name === schemaMeta.name) return schemaMeta
  const lower = name.toLowerCase()
  for (const { table, plain } of plainNames(schema)) {
    // every type of a table has its name somewhere within, perhaps with another capital
    if (!lower.includes(plain)) continue
    const { id } = table.table
    const types = schema.tableTypes(id)
    const written = schema.writeTypes(id)
    const own = [...(types ? typesOfTable(types) : []), ...(written ? typesOfWriting(written) : [])]
    const found = own.find((type) => type.name === name)
    if (found) return found
    await pause()
  }
  await prepareShared(printContext)
  return sharedTypes(schema).find((type) => type.name === name)
}
