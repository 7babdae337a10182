import {
  isRecord,
  type Json,
  type JsonObject,
  type LogicalModelSelectPermission,
  type NativeQuery,
  type NativeQueryRelationship,
  parseNativeQueryCode,
} from '@svc/schema'
import type { QueryVerdict, TypeSystem } from '../../../backends/index.ts'
import type { TableId } from '../../object-ids.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { databaseError, definitionError, metadataError, ResolutionError } from '../../resolve/resolution-error.ts'
import type { ResolvedNativeQuery } from '../../resolved-native-query.ts'
import type { ResolvedSelectPermission } from '../../resolved-permission.ts'
import { objectId } from '../../table-id.ts'
import {
  type LogicalContext,
  type LogicalNode,
  logicalModelAddress,
  logicalShape,
} from '../logical-model/logical-shape.ts'
import { permissionOf } from '../logical-model/row-permissions.ts'

export interface ModelContext extends LogicalContext {
  /** The consistent logical models of the source. */
  model(name: string): LogicalNode | undefined
}

export interface NativeContext extends ModelContext {
  readonly own: string
  readonly verdict: QueryVerdict
  /** Of session variables, lower case; absent: ours. */
  readonly headerPrefix?: string
}

export interface NativeNode {
  readonly query: ResolvedNativeQuery
  readonly rows: LogicalNode
  /** The logical models inside its rows, however deep, and that of the rows: ids. */
  readonly models: readonly string[]
  /** Permissions of rows that are described in place. */
  readonly permissions: ReadonlyMap<string, ResolvedSelectPermission>
  /** The relationships that it declares for its rows, by name. */
  readonly declared: Readonly<Record<string, DeclaredRelationship>>
}

interface DeclaredRelationship {
  readonly kind: 'object' | 'array'
  readonly of: NativeQueryRelationship
}

/** A native query without its relationships (reference/database-objects#native-queries). Throws a ResolutionError. */
export function resolveNativeQuery(declared: NativeQuery, around: NativeContext): NativeNode {
  const name = declared.root_field_name
  if (!isGraphqlName(name))
    throw definitionError(`the name "${name}" is not a valid GraphQL identifier`, ['root_field_name'])
  const given = argumentsOf(declared, around)
  const parsed = parseNativeQueryCode(declared.code)
  if (!parsed.ok) throw definitionError(parsed.message, ['code'])
  for (const part of parsed.parts)
    if (part.kind === 'argument' && !given.some((one) => one.name === part.name))
      throw definitionError(`the code uses the argument "${part.name}", which is not declared`, ['code'])
  if (around.verdict.status === 'refused')
    throw databaseError(`the database refuses the code: ${around.verdict.reason}`, ['code'])
  const { rows, models } = rowsOf(declared, around)
  if (around.verdict.status === 'ok') checkColumns(rows, around.verdict, around.types)
  const query: ResolvedNativeQuery = {
    id: `${around.sourceOwn}/${around.own}`,
    source: around.source,
    name,
    description: declared.description ?? null,
    parts: parsed.parts,
    arguments: given,
    argumentsName: `${name}_arguments`,
    rows: rows.id,
    of: rows.shape.table,
  }
  return {
    query,
    rows,
    models,
    permissions: isRecord(declared.returns)
      ? inlinePermissions(declared.returns, rows, around.headerPrefix)
      : noPermissions,
    declared: declaredRelationships(declared),
  }
}

/** Resolves the arguments of a query or procedure. Throws a ResolutionError. */
export function argumentsOf(
  { arguments: declared = {} }: Pick<NativeQuery, 'arguments'>,
  { typeOf }: Pick<LogicalContext, 'typeOf'>,
): ResolvedNativeQuery['arguments'] {
  return Object.entries(declared).map(([name, { type: spelled, nullable, description }]) => {
    if (!isGraphqlName(name))
      throw definitionError(`the name "${name}" of an argument is not a valid GraphQL identifier`, ['arguments', name])
    const type = typeOf(spelled)
    if (!type)
      throw databaseError(`the type "${spelled}" of the argument "${name}" does not exist`, ['arguments', name, 'type'])
    return { name, type, nullable, description: description ?? null }
  })
}

function declaredRelationships({
  object_relationships: objects = [],
  array_relationships: arrays = [],
}: NativeQuery): NativeNode['declared'] {
  const all: readonly DeclaredRelationship[] = [
    ...objects.map((of) => ({ kind: 'object', of }) as const),
    ...arrays.map((of) => ({ kind: 'array', of }) as const),
  ]
  return Object.fromEntries(all.map((one) => [one.of.name, one]))
}

const noPermissions: NativeNode['permissions'] = new Map()

/** Those of a logical model that a native query writes in place. Throws a ResolutionError. */
function inlinePermissions(
  { select_permissions: given }: JsonObject,
  rows: LogicalNode,
  headerPrefix: string | undefined,
): ReadonlyMap<string, ResolvedSelectPermission> {
  const list = Array.isArray(given) ? (given as readonly Json[]) : []
  return new Map(
    list.map((one, i) => {
      const permission = one as unknown as LogicalModelSelectPermission
      try {
        return [permission.role, permissionOf(permission, rows, headerPrefix)] as const
      } catch (error) {
        if (!(error instanceof ResolutionError)) throw error
        throw new ResolutionError(error.message, {
          ...error.detail,
          at: ['returns', 'select_permissions', i, ...(error.detail.at ?? [])],
        })
      }
    }),
  )
}

function rowsOf(
  { root_field_name: name, returns }: NativeQuery,
  around: NativeContext,
): Pick<NativeNode, 'rows' | 'models'> {
  const models = new Set<string>()
  if (isRecord(returns)) {
    const own = rowsOfQuery(around.sourceOwn, around.own)
    const rows = logicalShape(own, name, returns as JsonObject, around, ['returns', 'fields'])
    checkNested(rows, around, models)
    return { rows, models: [...models] }
  }
  return rowsOfNamed(String(returns), around)
}

/** The rows of a logical model by its name, and those inside. Throws a ResolutionError. */
export function rowsOfNamed(name: string, around: ModelContext): Pick<NativeNode, 'rows' | 'models'> {
  const rows = around.model(name)
  if (!rows) throw missingModel(name, around)
  const models = new Set([modelId(around, name)])
  checkNested(rows, around, models)
  return { rows, models: [...models] }
}

/** Rows that a native query describes in place: an id among those of tables, which none of these can have. */
const rowsOfQuery = (sourceOwn: string, own: string): TableId => `${sourceOwn}//query/${own}`

const modelId = ({ sourceOwn }: ModelContext, name: string): string => objectId(logicalModelAddress(sourceOwn, name))

const missingModel = (model: string, { isDeclared, sourceOwn }: ModelContext): ResolutionError =>
  metadataError(
    `the logical model "${model}" is ${isDeclared(model) ? 'inconsistent' : 'not tracked'}`,
    [logicalModelAddress(sourceOwn, model)],
    ['returns'],
  )

/** The logical models inside, however deep; one may contain itself. */
function checkNested({ nested }: LogicalNode, around: ModelContext, seen: Set<string>): void {
  for (const { model } of nested.values()) {
    if (seen.has(modelId(around, model))) continue
    seen.add(modelId(around, model))
    const found = around.model(model)
    if (!found) throw missingModel(model, around)
    checkNested(found, around, seen)
  }
}

/** Every field is a column that the query returns, and of the field's type: JSON is what the column is. */
function checkColumns(rows: LogicalNode, verdict: QueryVerdict & { readonly status: 'ok' }, types: TypeSystem): void {
  for (const [name, { list }] of rows.nested) {
    const { type } = columnNamed(name, verdict)
    if (!types.isJson(type) && (type.kind !== 'composite' || type.array !== list))
      throw databaseError(
        `the field "${name}" holds ${list ? 'rows' : 'a row'} of another logical model, and the code gives ${typeText(type)}, which is neither JSON nor ${list ? 'an array of a composite type' : 'a composite type'}`,
        ['code'],
      )
  }
  for (const { name, type } of rows.columns) {
    const column = columnNamed(name, verdict)
    if (column.type.array !== type.array || types.graphqlScalar(column.type) !== types.graphqlScalar(type))
      throw databaseError(
        `the field "${name}" is declared as ${typeText(type)}, and the code gives ${typeText(column.type)}`,
        ['code'],
      )
  }
}

function columnNamed(name: string, { columns }: QueryVerdict & { readonly status: 'ok' }) {
  const column = columns.find((one) => one.name === name)
  if (column) return column
  throw databaseError(`the code gives no column "${name}" for the field of that name`, ['code'])
}

const typeText = ({ name, array }: { readonly name: string; readonly array: boolean }) => `${name}${array ? '[]' : ''}`
