import { ApiError } from '../../errors.ts'
import type { Context } from '../plan/context.ts'
import { open, stringValue } from '../plan/input.ts'
import type { SelectedField } from '../plan/selected-fields.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type NamedType, refTo } from '../types/type.ts'
import { sharedTypes, typesOfTable, visibleTables, wholeQueryRoot } from './all-types.ts'
import type { IntrospectionCache } from './introspection-cache.ts'
import { planSelection, type World } from './meta-object.ts'
import { schemaMeta } from './meta-schema.ts'
import { typeMeta } from './meta-types.ts'

/** A planned `__schema` or `__type`: gives its JSON against the schema of the moment. */
export type IntrospectionAnswer = (schema: RoleSchema, texts: IntrospectionCache, settings: GraphqlSettings) => string

/** `__schema` (spec 02 §7.4). */
export function planSchemaField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const printer = planSelection(context, schemaMeta, selected)
  return (schema, texts, settings) => printer.print(null, newWorld(schema, texts, settings))
}

/** `__type(name:)`: null for a name that the role does not see (spec 02 §7.4). */
export function planTypeField(context: Context, selected: SelectedField<QueryRootMeaning>): IntrospectionAnswer {
  const given = selected.args.get('name')
  if (!given) throw new ApiError('validation-failed', selected.path.at('args', 'name'), "missing required field 'name'")
  const name = stringValue(context, open(context, given.raw, given.field.type, false, given.path), given.path)
  const printer = planSelection(context, typeMeta, selected)
  return (schema, texts, settings) => {
    const type = typeByName(schema, name)
    return type ? printer.print(refTo(type), newWorld(schema, texts, settings)) : 'null'
  }
}

const newWorld = (schema: RoleSchema, texts: IntrospectionCache, settings: GraphqlSettings): World => ({
  schema,
  texts,
  maxSize: settings.maxIntrospectionSize,
  size: 0,
})

function typeByName(schema: RoleSchema, name: string): NamedType | undefined {
  if (name === 'query_root') return wholeQueryRoot(schema)
  if (name === schemaMeta.name) return schemaMeta
  const tables = visibleTables(schema)
  for (const table of tables) {
    if (name !== table.name && !name.startsWith(`${table.name}_`)) continue
    const types = schema.tableTypes(table.table.id)
    const found = types && typesOfTable(types).find((type) => type.name === name)
    if (found) return found
  }
  return sharedTypes(tables).find((type) => type.name === name)
}
