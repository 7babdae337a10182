import {
  type MutationFieldKind,
  type MutationFieldOwner,
  rootKey,
  type TableMutationField,
  visibleAction,
} from '../../model/index.ts'
import { actionField } from './action-types.ts'
import { functionField } from './function-field.ts'
import { keyArguments, type QueryRootMeaning } from './query-root-type.ts'
import { remoteRootField } from './remote-roots.ts'
import type { RoleSchema } from './role-schema.ts'
import { respelledArgument } from './select-arguments.ts'
import { tablePartRef, writePartRef } from './table-part-ref.ts'
import {
  argument,
  byName,
  type Field,
  type InputField,
  listOf,
  namedField,
  nonNull,
  refTo,
  type TypeRef,
} from './type.ts'
import { operatorArguments } from './update-types.ts'
import type { WriteTable } from './write-table.ts'
import type { WriteTypes } from './write-types.ts'

/** A field of the mutation root by its `rootKey`, where the role has it (reference/graphql-schema#root-fields). */
export function mutationField(
  schema: RoleSchema,
  namespace: string | null,
  name: string,
): Field<QueryRootMeaning> | undefined {
  const owner = schema.model.roots.mutation.get(rootKey({ namespace }, name))
  if (!owner) return undefined
  if ('function' in owner) return functionField(schema.model, schema.role, owner)
  if ('action' in owner) return actionField(schema, 'mutation', owner.action)
  if ('remote' in owner) return remoteRootField(schema.model, schema.role, 'mutation', owner)
  const types = hasField(schema, owner) ? schema.writeTypes(owner.table) : undefined
  return types && fieldOf(types, owner.kind, name)
}

function hasField(schema: RoleSchema, { kind, table }: TableMutationField): boolean {
  if (kind === 'update_many' && schema.model.input.settings.hideUpdateManyFields) return false
  return schema.writeTable(table)?.fields.has(kind) ?? false
}

/** Returns whether a role has anything to write or to call: at all, or in the part of a namespace. */
export function hasMutations(schema: RoleSchema, namespace: string | null = null): boolean {
  for (const [key, owner] of schema.model.roots.mutation)
    if ((namespace === null || key.startsWith(`${namespace}.`)) && isVisible(schema, owner)) return true
  return false
}

function isVisible(schema: RoleSchema, owner: MutationFieldOwner): boolean {
  if ('function' in owner) return functionField(schema.model, schema.role, owner) !== undefined
  if ('remote' in owner) return remoteRootField(schema.model, schema.role, 'mutation', owner) !== undefined
  return 'action' in owner
    ? visibleAction(schema.model, schema.role, owner.action) !== undefined
    : hasField(schema, owner)
}

function fieldOf(types: WriteTypes, kind: MutationFieldKind, name: string): Field<QueryRootMeaning> {
  const { table } = types.table
  const description = table.mutationFields.find((field) => field.kind === kind)?.description ?? null
  const meaning = { kind: 'write', root: kind, table: table.id } as const
  return namedField(name, description, typeOf(types.table, kind), meaning, byName(argumentsOf(types, kind)))
}

function argumentsOf(types: WriteTypes, kind: MutationFieldKind): readonly InputField<unknown>[] {
  const { table } = types
  const where = argument(
    'where',
    'filter the rows which have to be changed',
    nonNull(tablePartRef(table.select, 'boolean')),
  )
  switch (kind) {
    case 'insert':
      return [
        argument('objects', 'the rows to be inserted', nonNull(listOf(nonNull(writePartRef(table, 'insertInput'))))),
        ...conflictArgument(types),
      ]
    case 'insert_one':
      return [
        argument('object', 'the row to be inserted', nonNull(writePartRef(table, 'insertInput'))),
        ...conflictArgument(types),
      ]
    case 'update':
      return [...operatorArguments(types), where]
    case 'update_by_pk':
      return [
        ...operatorArguments(types),
        respelledArgument(table.types, 'pk_columns', null, nonNull(refTo(types.keyInput()))),
      ]
    case 'update_many':
      return [argument('updates', 'updates to execute, in order', nonNull(listOf(nonNull(refTo(types.updates())))))]
    case 'delete':
      return [where]
    case 'delete_by_pk':
      return keyArguments(table.table.primaryKey, table.types)
  }
}

function conflictArgument(types: WriteTypes): readonly InputField<unknown>[] {
  const conflict = types.onConflict()
  const upsert = types.table.types.features.mutations?.upsert
  return conflict && upsert ? [respelledArgument(types.table.types, upsert, 'upsert condition', refTo(conflict))] : []
}

function typeOf(table: WriteTable, kind: MutationFieldKind): TypeRef {
  switch (kind) {
    case 'insert':
    case 'update':
    case 'delete':
      return writePartRef(table, 'response')
    case 'update_many':
      return listOf(writePartRef(table, 'response'))
    case 'insert_one':
    case 'update_by_pk':
    case 'delete_by_pk':
      return tablePartRef(table.select, 'row')
  }
}
