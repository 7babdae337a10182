import {
  address,
  addressText,
  childrenOf,
  findObject,
  isRecord,
  type Json,
  type ObjectAddress,
  tableAddress,
} from '@svc/schema'
import { tableReadKey } from '../graph.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import type { TableId } from '../object-ids.ts'
import { sessionVariable } from '../resolve/resolve-comparison.ts'
import { tableIdOf } from '../table-id.ts'
import { rewritePermission } from './rewrite-permission.ts'

/** A column of a table, which both have the names that the model knows. */
export interface ComparedColumn {
  readonly table: Parameters<typeof tableAddress>[1]
  readonly column: string
}

/**
 * The permissions that compare one of the columns with a constant, over whatever relationships
 * (reference/metadata-operations#sql).
 */
export function comparedWithConstants(
  model: Model,
  source: string,
  columns: readonly ComparedColumn[],
): readonly (readonly [ComparedColumn, readonly ObjectAddress[]])[] {
  return columns.map((one) => {
    const table = tableAddress(source, one.table)
    const id = tableIdOf(table)
    const others = [...(model.graph.readers.get(tableReadKey(id))?.values() ?? [])]
    const permissions = new Map(
      [...permissionsOf(model, table), ...others.filter(isPermission)].map((at) => [addressText(at), at]),
    )
    const found = [...permissions.values()].filter((at) => compares(model, at, id, one.column))
    return [one, found.toSorted((a, b) => (addressText(a) < addressText(b) ? -1 : 1))] as const
  })
}

const permissionTypes = ['select_permission', 'insert_permission', 'update_permission', 'delete_permission'] as const

const isPermission = ({ type }: ObjectAddress): boolean => permissionTypes.some((one) => one === type)

function permissionsOf(model: Model, table: ObjectAddress): readonly ObjectAddress[] {
  const object = findObject(model.input.document, table)
  return permissionTypes.flatMap((type) =>
    object ? [...childrenOf(object, type).keys()].map((own) => address(type, own, table)) : [],
  )
}

function compares(model: Model, at: ObjectAddress, table: TableId, column: string): boolean {
  const value = findObject(model.input.document, at)?.value
  const own = tableIdOf(at)
  if (!value) return false
  let found = false
  const names = {
    field: (_: TableId, name: string) => name,
    table: <Name>(name: Name) => name,
    compared(row: TableId, name: string, operators: Json) {
      if (row === table && name === column && holdsConstant(operators, model.input.settings.headerPrefix)) found = true
    },
  }
  rewritePermission(value, own, names, modelLookup(model))
  return found
}

/** A value that the database reads as the column's type: no session variable, other column, or question for NULL. */
function holdsConstant(operators: Json, prefix: string | undefined): boolean {
  if (typeof operators === 'string') return sessionVariable(operators, prefix) === null
  if (Array.isArray(operators)) return operators.some((one) => holdsConstant(one, prefix))
  if (!isRecord(operators)) return operators !== null
  return Object.entries(operators).some(
    ([operator, value]) => !/^[_$](c(eq|neq?|gte?|lte?)|is_null|cast)$/.test(operator) && holdsConstant(value, prefix),
  )
}
