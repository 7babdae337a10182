import {
  type CustomTypes,
  type GraphqlType,
  type Json,
  type ObjectAddress,
  parseGraphqlType,
  tableText,
} from '@svc/schema'
import type { TableShape } from '../../resolve/table-shape.ts'
import { baseFinder, type SourceTypes, type TypePlace } from './find-base.ts'
import type { ActionBase, ActionField, ActionObject, ActionRelationship, ActionTypes } from './resolved-action.ts'

export interface TypeContext {
  readonly sources: SourceTypes
  /** A served table. */
  table(source: string, table: unknown): TableShape | null
  addressOf(source: string, table: unknown): ObjectAddress
  /** In brackets, why nothing of a source is served; else empty. */
  whyNotServed(source: string): string
}

export interface TypeProblem {
  readonly text: string
  /** Inside the value of custom_types. */
  readonly at: readonly (string | number)[]
  /** Something that metadata or the database may still gain. */
  readonly cause: 'definition' | 'metadata'
  /** The table that it lacks. */
  readonly needs?: readonly ObjectAddress[]
}

type CustomObject = NonNullable<CustomTypes['objects']>[number]
type TypeRelationship = NonNullable<CustomObject['relationships']>[number]
type Report = (
  text: string,
  at: readonly (string | number)[],
  cause?: TypeProblem['cause'],
  needs?: TypeProblem['needs'],
) => void

/** The types, or everything that is wrong with them (reference/actions#custom-types). */
export function resolveCustomTypes(
  types: CustomTypes,
  around: TypeContext,
): { readonly types: ActionTypes; readonly problems: readonly TypeProblem[] } {
  const problems: TypeProblem[] = []
  const report: Report = (text, at, cause = 'definition', needs = []) => problems.push({ text, at, cause, needs })
  const find = baseFinder(types, around.sources)
  const duplicates = twice(
    [types.scalars, types.enums, types.input_objects, types.objects].flatMap((list) =>
      (list ?? []).map(({ name }) => name),
    ),
  )
  if (duplicates.length > 0) report(`duplicate type names: ${quoted(duplicates)}`, [])
  for (const [i, { name, values }] of (types.enums ?? []).entries()) {
    const same = twice(values.map(({ value }) => value))
    if (same.length > 0) report(`the enum type "${name}" has duplicate values: ${quoted(same)}`, ['enums', i])
  }
  const inputs = (types.input_objects ?? []).map((input, i) => {
    const at = ['input_objects', i]
    const same = twice(input.fields.map(({ name }) => name))
    if (same.length > 0) report(`the input object "${input.name}" has duplicate fields: ${quoted(same)}`, at)
    const fields = fieldsOf(input, 'input-field', find, at, (field, type, where) =>
      report(
        `the type "${type}" for field "${field}" in  input object type "${input.name}" does not exist`,
        where,
        'metadata',
      ),
    )
    return { name: input.name, description: input.description ?? null, fields }
  })
  const objects = (types.objects ?? []).map((object, i) => resolveObject(object, ['objects', i], find, around, report))
  return {
    problems,
    types: {
      declared: types,
      scalars: byName((types.scalars ?? []).map(({ name, description = null }) => ({ name, description }))),
      enums: byName(
        (types.enums ?? []).map(({ name, description = null, values }) => ({
          name,
          description,
          values: values.map((one) => ({ name: one.value, description: one.description ?? null })),
        })),
      ),
      inputs: byName(inputs),
      objects: byName(objects),
    },
  }
}

type FindBase = (type: GraphqlType, place: TypePlace) => ActionBase | null

function fieldsOf(
  {
    fields,
  }: { readonly fields: readonly { readonly name: string; readonly type: string; readonly description?: string }[] },
  place: TypePlace,
  find: FindBase,
  at: readonly (string | number)[],
  unknown: (field: string, type: string, at: readonly (string | number)[]) => void,
): ReadonlyMap<string, ActionField> {
  return byName(
    fields.flatMap(({ name, type: text, description = null }, i) => {
      const type = parseGraphqlType(text)
      const base = type && find(type, place)
      if (!type || !base) {
        unknown(name, text, [...at, 'fields', i, 'type'])
        return []
      }
      return [{ name, description, type, base }]
    }),
  )
}

function resolveObject(
  object: CustomObject,
  at: readonly (string | number)[],
  find: FindBase,
  around: TypeContext,
  report: Report,
): ActionObject {
  const { name, description = null, relationships = [] } = object
  const same = twice([...object.fields, ...relationships].map((one) => one.name))
  if (same.length > 0) report(`the object "${name}" has duplicate fields: ${quoted(same)}`, at)
  if (
    object.fields.some((field) =>
      Array.isArray(field.arguments) ? field.arguments.length > 0 : field.arguments !== undefined,
    )
  )
    report(`the object "${name}" can't have arguments`, at)
  const fields = fieldsOf(object, 'object-field', find, at, (field, type, where) =>
    report(`the type "${type}" for field "${field}" in  object type "${name}" does not exist`, where, 'metadata'),
  )
  const resolved = relationships.flatMap((one, i) =>
    resolveRelationship(object, one, [...at, 'relationships', i], around, report),
  )
  if (new Set(relationships.map(({ source }) => source)).size > 1)
    report(`the object "${name}" has relationships refers to tables in multiple sources`, [...at, 'relationships'])
  return { name, description, fields, relationships: byName(resolved) }
}

function resolveRelationship(
  object: CustomObject,
  { name, type: kind, source, remote_table: remote, field_mapping: mapping }: TypeRelationship,
  at: readonly (string | number)[],
  around: TypeContext,
  report: Report,
): readonly ActionRelationship[] {
  const of = `for relationship "${name}" of object type "${object.name}"`
  const inside = `for relationship "${name}" in object type "${object.name}"`
  const table = around.table(source, remote)
  if (!table) {
    const why = around.whyNotServed(source)
    const needs = [around.addressOf(source, remote)]
    report(
      `the remote table ${shownTable(remote)} ${of} does not exist${why}`,
      [...at, 'remote_table'],
      'metadata',
      needs,
    )
    return []
  }
  for (const [field, column] of Object.entries(mapping)) {
    const declared = object.fields.find((one) => one.name === field)
    if (!declared) report(`the field "${field}" ${inside} does not exist`, [...at, 'field_mapping', field])
    else if (parseGraphqlType(declared.type)?.kind === 'list')
      report(`the type of the field "${field}" ${inside} is a list type`, [...at, 'field_mapping', field])
    const type = table.columns.get(column)?.type
    if (type && !table.types.hasEquality(type))
      report(`the column "${column}" ${inside} is of type ${type.name}, whose values cannot be joined on`, [
        ...at,
        'field_mapping',
        field,
      ])
    if (!type)
      report(
        `the column "${column}" of remote table ${shownTable(remote)} ${of} does not exist`,
        [...at, 'field_mapping', field],
        'metadata',
      )
  }
  return [
    {
      name,
      kind,
      source,
      target: table.id,
      mapping: Object.entries(mapping).map(([field, column]) => ({ field, column })),
    },
  ]
}

const shownTable = (table: unknown): string => JSON.stringify(tableText(table as Json))

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

const twice = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
]

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name, one]))
