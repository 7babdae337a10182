import { type DocumentNode, OperationTypeNode, type SelectionNode } from 'graphql'
import { invalid, Path } from '../../errors.ts'
import { allOf, type RootQuery } from '../../ir/index.ts'
import { finish, type LongWork } from '../../long-work.ts'
import {
  type FunctionField,
  type ResolvedFunction,
  type ResolvedNativeQuery,
  type RootFieldKind,
  rootKey,
  type TableId,
} from '../../model/index.ts'
import { selectOperation } from '../document/select-operation.ts'
import { usedVariables } from '../document/used-variables.ts'
import { planSchemaField, planTypeField } from '../introspection/plan-introspection.ts'
import { planServiceField } from '../introspection/plan-service.ts'
import { hasSubscriptionRoot } from '../introspection/root-types.ts'
import { AskedParts } from '../selection/asked-parts.ts'
import { type Context, contextOf, useTable } from '../selection/context.ts'
import type { VariableValues } from '../selection/guard.ts'
import { namingVariables } from '../selection/naming-variables.ts'
import { checkMutationDirectives, checkQueryDirectives } from '../selection/read-directives.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import { readVariables } from '../selection/variables.ts'
import type { GraphqlSettings } from '../settings.ts'
import { functionArguments } from '../types/function-arguments.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { ObjectType } from '../types/type.ts'
import { keyEquals } from './column-value.ts'
import { databaseRoot, type OperationPlan, type PlannedRoot } from './operation-plan.ts'
import { planAction } from './plan-action.ts'
import { planAggregateFields } from './plan-aggregate-fields.ts'
import { planCall } from './plan-call.ts'
import { planConnection } from './plan-connection.ts'
import { planEntities } from './plan-entities.ts'
import { joinsOf } from './plan-join.ts'
import { planNode } from './plan-node.ts'
import { planProcedureCall, planQueryText } from './plan-query-text.ts'
import { planRemote } from './plan-remote.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planRows } from './plan-rows.ts'
import { planWrite } from './plan-write.ts'

export interface OperationRequest {
  readonly document: DocumentNode
  readonly operationName: string | null
  readonly variables: VariableValues
  /** A subscription is planned like a query: that it may be one is known (plan-subscription.ts). */
  readonly isRepeated?: boolean
}

/**
 * Validates an operation and plans it in the same walk (reference/queries#validation). Throws ApiError with the contract's
 * codes, texts and paths; the first thing wrong ends the walk.
 */
export const planOperation = (
  request: OperationRequest,
  schema: RoleSchema,
  settings: GraphqlSettings,
): OperationPlan => finish(planLong(request, schema, settings))

/** Plans an operation in pieces, a root field each. Adds the parts of the schema that it uses to `asked`. */
export function* planLong(
  request: OperationRequest,
  schema: RoleSchema,
  settings: GraphqlSettings,
  asked = new AskedParts(),
): LongWork<OperationPlan> {
  const chosen = selectOperation(request.document, request.operationName)
  const { operation, fragments } = chosen
  const isMutation = operation.operation === OperationTypeNode.MUTATION
  if (!request.isRepeated) refuseOtherKinds(operation.operation, schema)
  const used = usedVariables(chosen, settings.maxDepth)
  yield 1
  const variables = readVariables(operation.variableDefinitions ?? [], request.variables, used, settings)
  const context = contextOf(schema, settings, fragments, variables, asked)
  context.uses.add('inherited-role', schema.role)
  if (isMutation) checkMutationDirectives(operation.directives, Path.root)
  else if (!request.isRepeated) checkQueryDirectives(context, operation.directives, Path.root)
  const root = isMutation ? schema.mutationRoot : schema.queryRoot
  const roots = yield* planRoots(context, root, operation.selectionSet.selections, Path.root)
  return {
    isMutation,
    operationName: operation.name?.value ?? null,
    roots,
    joins: joinsOf(context),
    usedVariables: used,
    guards: variables.guards,
    templates: context.templates,
    checks: context.checks,
    selections: context.selections,
    uses: context.uses.list(),
    asked: namingVariables(asked, variables),
  }
}

function refuseOtherKinds(kind: OperationTypeNode, schema: RoleSchema): void {
  switch (kind) {
    case OperationTypeNode.QUERY:
      return
    case OperationTypeNode.MUTATION:
      if (!schema.hasMutations()) throw invalid(Path.root, 'no mutations exist')
      return
    case OperationTypeNode.SUBSCRIPTION:
      if (!hasSubscriptionRoot(schema)) throw invalid(Path.root, 'no subscriptions exist')
      throw Path.root.error('unexpected-payload', 'subscriptions are not supported over HTTP, use websockets instead')
  }
}

function* planRoots(
  context: Context,
  type: ObjectType<QueryRootMeaning>,
  selections: readonly SelectionNode[],
  path: Path,
): LongWork<readonly PlannedRoot[]> {
  const roots: PlannedRoot[] = []
  for (const selected of selectedFields(context, type, selections, path)) {
    yield 1
    roots.push(
      selected.kind === 'typename'
        ? { kind: 'text', responseKey: selected.as, text: selected.name }
        : planRoot(context, selected),
    )
  }
  return roots
}

/** Plans a root field of a query or mutation. */
export function planRoot(context: Context, selected: SelectedField<QueryRootMeaning>): PlannedRoot {
  const { field, as } = selected
  const { meaning } = field
  switch (meaning.kind) {
    case 'table':
      return planTableRoot(context, selected, meaning.root, meaning.table)
    case 'write':
      return planWrite(context, selected, meaning.root, meaning.table)
    case 'function':
      return planFunctionRoot(context, selected, meaning.root, meaning.function)
    case 'native-query':
      return planNativeQueryRoot(context, selected, meaning.query)
    case 'connection': {
      const types = useTable(context, meaning.table)
      const { source, table } = types.table.table
      const connection = planConnection(context, types, selected.args, selected.selections, selected.path)
      return databaseRoot(as, source, { kind: 'connection', from: table, connection })
    }
    case 'function-connection':
      return planFunctionRoot(context, selected, 'connection', meaning.function)
    case 'action':
      return planAction(context, selected, meaning.form, meaning.action)
    case 'remote':
      return planRemote(context, selected, meaning)
    case 'node':
      return planNode(context, selected)
    case 'entities':
      return planEntities(context, selected)
    case 'service':
      return { kind: 'introspection', responseKey: as, answer: planServiceField(context, selected) }
    case 'namespace':
      context.uses.add('namespace', field.name)
      context.uses.add('mutation-namespace', field.name)
      return {
        kind: 'namespace',
        responseKey: as,
        roots: finish(planRoots(context, meaning.type, selected.selections, selected.path)),
      }
    case 'placeholder':
      context.uses.add('empty-root', '')
      return { kind: 'text', responseKey: as, text: meaning.text }
    case 'schema':
      return { kind: 'introspection', responseKey: as, answer: planSchemaField(context, selected) }
    case 'type':
      return { kind: 'introspection', responseKey: as, answer: planTypeField(context, selected) }
  }
}

/**
 * Plans a tracked function's field: its rows are filtered, ordered and cut like those of their table
 * (reference/database-objects#tracked-functions), or are a connection of Relay.
 */
function planFunctionRoot(
  context: Context,
  { field, as, args, selections, path }: SelectedField<QueryRootMeaning>,
  root: FunctionField['kind'] | 'connection',
  found: ResolvedFunction,
): PlannedRoot {
  const types = useTable(context, found.table)
  context.uses.add('function', found.id)
  const name = root === 'connection' ? found.field : field.name
  context.uses.add(found.exposedAs === 'mutation' ? 'mutation-field' : 'query-field', rootKey(found.naming, name))
  const given = functionArguments(types.table, found)
  const call = planCall(context, found, given, args.get('args'), types.table.types, path.at('args'))
  const from = { from: found.of, call } as const
  const query = (): RootQuery => {
    if (root === 'connection')
      return { kind: 'connection', ...from, connection: planConnection(context, types, args, selections, path) }
    const rows = planRows(context, types, args, path)
    return root === 'function'
      ? { kind: 'rows', ...from, rows, single: !found.set, fields: planRowFields(context, types, selections, path) }
      : { kind: 'aggregate', ...from, rows, fields: planAggregateFields(context, types, selections, path) }
  }
  return databaseRoot(as, found.source, query())
}

/**
 * A native query's rows, filtered, ordered and cut like those of a table (reference/database-objects#native-queries).
 */
function planNativeQueryRoot(
  context: Context,
  { as, args, selections, path }: SelectedField<QueryRootMeaning>,
  found: ResolvedNativeQuery,
): PlannedRoot {
  const types = useTable(context, found.rows)
  const [given, named] = [args.get('args'), types.table.types]
  const query: RootQuery = {
    kind: 'rows',
    from: found.of,
    ...(found.procedure
      ? { procedure: planProcedureCall(context, found, found.procedure, given, named, path) }
      : { query: planQueryText(context, found, given, named, path) }),
    rows: planRows(context, types, args, path),
    fields: planRowFields(context, types, selections, path),
  }
  return databaseRoot(as, found.source, query)
}

function planTableRoot(
  context: Context,
  selected: SelectedField<QueryRootMeaning>,
  root: RootFieldKind,
  id: TableId,
): PlannedRoot {
  const types = useTable(context, id)
  const { table } = types.table
  context.uses.add('query-field', rootKey(table.naming, selected.field.name))
  const query = (): RootQuery => {
    const { args, selections, path } = selected
    const from = table.table
    switch (root) {
      case 'select': {
        const rows = planRows(context, types, args, path)
        return { kind: 'rows', from, rows, fields: planRowFields(context, types, selections, path) }
      }
      case 'select_aggregate': {
        const rows = planRows(context, types, args, path)
        return { kind: 'aggregate', from, rows, fields: planAggregateFields(context, types, selections, path) }
      }
      case 'select_by_pk':
      case 'select_one': {
        const keys = types.table.columns.flatMap((column) => {
          const given = args.get(column.field)
          return given ? [keyEquals(context, column, given.raw, types.table.types, given.path)] : []
        })
        const where = allOf([types.table.filter, ...keys])
        return { kind: 'row', from, where, fields: planRowFields(context, types, selections, path) }
      }
    }
  }
  return databaseRoot(selected.as, table.source, query())
}
