import {
  address,
  isRecord,
  type Json,
  type JsonObject,
  ownKey,
  type RemoteRelationship,
  type RemoteSchemaRemoteRelationship,
  sourceAddress,
  tableText,
} from '@svc/schema'
import {
  namedTypeOf,
  outputField,
  publicField,
  type ReadyRemote,
  type RemoteField,
} from '../../../remote-schemas/index.ts'
import { asksClient } from '../../names/argument-types.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { conflictingField, nameClash } from '../../resolve/refuse-column-name.ts'
import { requireEquality } from '../../resolve/require-equality.ts'
import {
  databaseError,
  definitionError,
  foundIn,
  metadataError,
  ResolutionError,
} from '../../resolve/resolution-error.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import { quotedTable, tableIdOf } from '../../table-id.ts'
import type { Reading } from '../part.ts'
import { remoteSchemaId, remoteSchemaPart } from '../remote-schema/remote-schema-part.ts'
import { type LhsScalars, resolveArguments } from './resolve-arguments.ts'
import type {
  RemoteStep,
  ResolvedRemoteRelationship,
  ResolvedTypeRelationship,
} from './resolved-remote-relationship.ts'

/**
 * From a table: both forms to a remote schema, and that to a table of another source
 * (reference/remote-schemas#relationships). Throws a ResolutionError.
 */
export function resolveRemoteRelationship(value: RemoteRelationship, reading: Reading): ResolvedRemoteRelationship {
  const { name } = value
  const { shape } = reading.table
  checkGraphqlName(name)
  checkName(name, reading)
  const scalarOf: LhsScalar = (field, at) => lhsScalar(field, at, reading)
  return foundIn(`in table ${quotedTable(shape.table)}: in remote relationship "${name}": `, () =>
    resolveDefinition(name, value.definition, scalarOf, reading, shape),
  )
}

/** The same from an object type of a remote schema, whose names are those of upstream. Throws a ResolutionError. */
export function resolveTypeRelationship(
  { type_name: typeName, name, definition }: RemoteSchemaRemoteRelationship,
  remote: ReadyRemote,
  reading: Reading,
): ResolvedTypeRelationship {
  checkGraphqlName(name)
  const type = remote.types.types.get(typeName)
  const { roots } = remote.types
  const isRoot = [roots.query, roots.mutation, roots.subscription].includes(typeName)
  return foundIn(`in remote schema "${remote.name}": in type "${typeName}": in remote relationship "${name}": `, () => {
    if (type?.kind !== 'OBJECT' || isRoot)
      throw databaseError(`object type with name "${typeName}" not found in remote schema`, ['type_name'])
    for (const { name: field } of type.fields.values())
      if (field === name || publicField(remote.naming, typeName, field) === name)
        throw new ResolutionError(`field with name "${name}" already exists in type "${typeName}"`, {
          cause: 'clash',
          at: ['name'],
        })
    const scalarOf: LhsScalar = (field, at) => {
      const scalar = plainScalar(type.fields.get(field), remote)
      if (scalar !== null) return scalar
      throw databaseError(`field with name ${field} is not provided by the lhs entity ${typeName}`, at)
    }
    return { ...resolveDefinition(name, definition, scalarOf, reading, null), type: typeName }
  })
}

/** What single values without arguments are of; null for all other fields. */
function plainScalar(field: RemoteField | undefined, { types }: ReadyRemote): string | null {
  if (!field || field.args.size > 0) return null
  const type = field.type.kind === 'non-null' ? field.type.of : field.type
  if (type.kind !== 'named') return null
  const kind = types.types.get(type.name)?.kind ?? 'SCALAR'
  return kind === 'SCALAR' || kind === 'ENUM' ? type.name : null
}

/** Says which GraphQL scalar a value of the left side is. Throws a ResolutionError when it has none. */
type LhsScalar = (field: string, at: readonly string[]) => string

function checkGraphqlName(name: string): void {
  if (!isGraphqlName(name))
    throw new ResolutionError(`${JSON.stringify(name)} is not a valid GraphQL identifier`, {
      cause: 'definition',
      at: ['name'],
      bare: true,
    })
}

function checkName(name: string, { table, tables }: Reading): void {
  const column = table.graphql.columnsByName.get(name) ?? table.graphql.columnsByField.get(name)
  if (column) throw new ResolutionError('field definition conflicts with postgres column', nameClash)
  if (tables.relationship(table.shape, name) || tables.computedField(table.shape, name)) throw conflictingField(name)
}

function resolveDefinition(
  name: string,
  definition: RemoteRelationship['definition'],
  scalarOf: LhsScalar,
  reading: Reading,
  /** The table that it starts from; null: a type of a remote schema. */
  own: TableShape | null,
): ResolvedRemoteRelationship {
  if ('remote_schema' in definition) {
    const { remote_schema, svc_fields, remote_field } = definition
    const fields = { list: svc_fields, at: ['definition', 'svc_fields'], scalarOf }
    return toRemoteField(name, remote_schema, fields, remote_field, ['definition'], reading)
  }
  const { to_source: toSource, to_remote_schema: toSchema } = definition
  if (toSchema) {
    const { remote_schema, lhs_fields, remote_field } = toSchema
    const at = ['definition', 'to_remote_schema']
    const fields = { list: lhs_fields, at: [...at, 'lhs_fields'], scalarOf }
    return toRemoteField(name, remote_schema, fields, remote_field, at, reading)
  }
  if (toSource) return toTable(name, toSource, scalarOf, reading, own)
  throw definitionError('neither a remote schema nor a source is given', ['definition'])
}

interface LhsFields {
  readonly list: readonly string[]
  readonly at: readonly string[]
  readonly scalarOf: LhsScalar
}

function toRemoteField(
  name: string,
  remoteName: string,
  fields: LhsFields,
  remoteField: JsonObject,
  at: readonly string[],
  reading: Reading,
): ResolvedRemoteRelationship {
  const remoteAt = address('remote_schema', ownKey('remote_schema', { name: remoteName }))
  reading.isDeclared(remoteAt)
  const remote = reading.value(remoteSchemaPart, remoteSchemaId(remoteName))
  if (!remote)
    throw metadataError(`remote schema with name "${remoteName}" not found`, [remoteAt], [...at, 'remote_schema'])
  const lhs: LhsScalars = new Map(fields.list.map((field) => [field, fields.scalarOf(field, fields.at)] as const))
  const steps = stepsOf(remoteField, remote, lhs, [...at, 'remote_field'])
  return { kind: 'remote-field', name, remote: remoteName, lhs: [...lhs.keys()], steps }
}

/** The GraphQL scalar of a value of the own table. */
function lhsScalar(field: string, at: readonly string[], { table, tables }: Reading): string {
  const { shape } = table
  const column = tables.column(shape, field)
  if (column) return shape.types.graphqlScalar(column.type)
  const computed = tables.computedField(shape, field)
  if (computed?.returns.kind === 'scalar' && !asksClient(computed.arguments))
    return shape.types.graphqlScalar(computed.returns.type)
  throw databaseError(`field with name ${field} is not provided by the lhs entity ${tableText({ ...shape.table })}`, at)
}

/** From the query root down: objects and interfaces, and at the end whatever there is. */
function stepsOf(
  remoteField: JsonObject,
  { types }: ReadyRemote,
  lhs: LhsScalars,
  place: readonly string[],
): readonly RemoteStep[] {
  const steps: RemoteStep[] = []
  let typeName = types.roots.query
  let at = place
  let rest: Json | undefined = remoteField
  while (rest !== undefined && rest !== null) {
    const { name, call } = onlyStep(rest, at)
    at = [...at, name]
    const field = outputField(types, typeName, name)
    if (!field) throw definitionError(`remote field with name ${name} and type ${typeName} not found`, at)
    const { arguments: given, field: below }: JsonObject = isRecord(call) ? call : {}
    const args = resolveArguments(given, field.args, types, lhs, [...at, 'arguments'])
    const isLast = below === undefined || below === null
    if (!isLast) checkStep(field, args, at)
    steps.push({ field: name, args })
    typeName = namedTypeOf(field.type)
    at = [...at, 'field']
    rest = below
  }
  return steps
}

function onlyStep(json: Json, at: readonly string[]): { readonly name: string; readonly call: Json | undefined } {
  const [only, ...others] = isRecord(json) ? Object.entries(json) : []
  if (!only || others.length > 0) throw definitionError('a remote field is an object with one key, its name', at)
  return { name: only[0], call: only[1] }
}

/** On the way are single objects; nothing sets the arguments of their fields. */
function checkStep(field: RemoteField, args: RemoteStep['args'], at: readonly string[]): void {
  const type = field.type.kind === 'non-null' ? field.type.of : field.type
  if (type.kind === 'list')
    throw definitionError(`field "${field.name}" is a list, so no field of it can be reached`, at)
  for (const { name, type, defaultValue } of field.args.values())
    if (type.kind === 'non-null' && defaultValue === null && !args.some(([given]) => given === name))
      throw definitionError(`field "${field.name}" needs the argument "${name}"`, at)
}

type ToSource = NonNullable<Extract<RemoteRelationship['definition'], { readonly to_source?: unknown }>['to_source']>

function toTable(
  name: string,
  { source, table, relationship_type, field_mapping }: ToSource,
  scalarOf: LhsScalar,
  reading: Reading,
  own: TableShape | null,
): ResolvedRemoteRelationship {
  const at = ['definition', 'to_source']
  const sourceAt = sourceAddress(source)
  if (!reading.isDeclared(sourceAt)) throw metadataError(`source not found: "${source}"`, [sourceAt], [...at, 'source'])
  const tableAt = address('table', ownKey('table', { table: table as JsonObject }), sourceAt)
  const target: TableShape | null = reading.tables.table(tableIdOf(tableAt))
  if (!target)
    throw metadataError(
      `table "${tableText(table as JsonObject)}" does not exist in source: ${source}${reading.whyNotServed(source)}`,
      [tableAt],
      [...at, 'table'],
    )
  if (Object.keys(field_mapping).length === 0)
    throw definitionError('a relationship to a table maps at least one field', [...at, 'field_mapping'])
  const mapping = Object.entries(field_mapping).map(([from, to]) => {
    const place = [...at, 'field_mapping', from]
    scalarOf(from, place)
    if (!reading.tables.column(target, to))
      throw databaseError(`table ${quotedTable(target.table)} has no column named "${to}"`, place)
    requireEquality(target, to, place)
    if (own) requireEquality(own, from, place)
    return { from, to }
  })
  return { kind: 'table', name, form: relationship_type, source, target: target.id, mapping }
}
