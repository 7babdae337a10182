import { ApiError } from '../../errors.ts'
import { typeName } from '../../model/index.ts'
import type { Context } from '../plan/context.ts'
import { open, stringValue } from '../plan/input.ts'
import type { SelectedField } from '../plan/selected-fields.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { type NamedType, refTo } from '../types/type.ts'
import { sharedTypes, typesOfTable } from './all-types.ts'
import type { IntrospectionCache } from './introspection-cache.ts'
import { joinTexts, listMarker } from './join-texts.ts'
import { planSelection, type World } from './meta-object.ts'
import { schemaMeta } from './meta-schema.ts'
import { typeMeta } from './meta-types.ts'
import { patience } from './patience.ts'
import { wholeQueryRoot, wholeSubscriptionRoot } from './root-types.ts'
import { allTypeTexts } from './type-texts.ts'
import { visibleTables } from './visible-tables.ts'

/** A planned `__schema` or `__type`: gives its JSON against the schema of the moment, in pieces. */
export type IntrospectionAnswer = (world: World) => Promise<readonly Buffer[]>

/** Shared by all introspection of one request. */
export const introspectionWorld = (schema: RoleSchema, kept: IntrospectionCache, settings: GraphqlSettings): World => ({
  schema,
  kept,
  maxSize: settings.maxIntrospectionSize,
  size: 0,
  rootFields: new Set(),
  rootTexts: new Map(),
})

/** `__schema` (spec 02 §7.4). */
export function planSchemaField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const before = context.typeLists.length
  const printer = planSelection(context, schemaMeta, selected)
  const typeLists = context.typeLists.slice(before)
  return async (world) => {
    const pause = patience()
    const lists = new Map<string, readonly string[]>()
    for (const [i, list] of typeLists.entries())
      lists.set(listMarker(before + i), await allTypeTexts(world, list, schemaMeta, pause))
    return joinTexts(printer.print(null, world), lists, pause)
  }
}

/** `__type(name:)`: null for a name that the role does not see (spec 02 §7.4). */
export function planTypeField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const given = selected.args.get('name')
  if (!given) throw new ApiError('validation-failed', selected.path.at('args', 'name'), "missing required field 'name'")
  const name = stringValue(context, open(context, given.raw, given.field.type, false, given.path), given.path)
  const printer = planSelection(context, typeMeta, selected)
  return async (world) => {
    const type = typeByName(world.schema, name)
    return [Buffer.from(type ? printer.print(refTo(type), world) : 'null')]
  }
}

/** In every spelling of its types: without what a source puts around them, and in one piece. */
function plainName({ table: { baseName, naming } }: RoleTable): string {
  if (baseName === null) return ''
  const text = typeof baseName === 'string' ? typeName(naming.convention, baseName) : baseName.custom
  return text.replace(/^_+/, '')
}

function typeByName(schema: RoleSchema, name: string): NamedType | undefined {
  if (name === 'query_root') return wholeQueryRoot(schema)
  if (name === 'subscription_root') return wholeSubscriptionRoot(schema) ?? undefined
  if (name === schemaMeta.name) return schemaMeta
  const tables = visibleTables(schema)
  const lower = name.toLowerCase()
  for (const table of tables) {
    // every type of a table has its name somewhere within, perhaps with another capital
    if (!lower.includes(plainName(table).toLowerCase())) continue
    const types = schema.tableTypes(table.table.id)
    const found = types && typesOfTable(types).find((type) => type.name === name)
    if (found) return found
  }
  return sharedTypes(schema).find((type) => type.name === name)
}
