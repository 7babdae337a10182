import { OperationTypeNode, type SelectionNode } from 'graphql'
import { ApiError, invalid, Path } from '../../errors.ts'
import type { StreamQuery } from '../../ir/index.ts'
import { selectOperation } from '../document/select-operation.ts'
import { usedVariables } from '../document/used-variables.ts'
import { hasSubscriptionRoot } from '../introspection/root-types.ts'
import { AskedParts } from '../selection/asked-parts.ts'
import { type Context, contextOf, useTable } from '../selection/context.ts'
import { namingVariables } from '../selection/naming-variables.ts'
import { checkSubscriptionDirectives, multipleFields } from '../selection/read-directives.ts'
import { selectedFields } from '../selection/selected-fields.ts'
import { readVariables } from '../selection/variables.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type SubscriptionRootMeaning, subscriptionRoot } from '../types/subscription-root.ts'
import type { ObjectType } from '../types/type.ts'
import type { OperationPlan, PlannedRoot } from './operation-plan.ts'
import { joinsOf } from './plan-join.ts'
import { type OperationRequest, planRoot } from './plan-operation.ts'
import { planStream } from './plan-stream.ts'

export type SubscriptionRoot =
  | Extract<PlannedRoot, { readonly kind: 'database' | 'text' }>
  | { readonly kind: 'stream'; readonly responseKey: string; readonly source: string; readonly query: StreamQuery }
  /** What became of a call of an asynchronous action: no source has it. */
  | { readonly kind: 'action'; readonly responseKey: string }
  | { readonly kind: 'namespace'; readonly responseKey: string; readonly roots: readonly SubscriptionRoot[] }

/** What a subscription reads from its one source. */
export interface SubscriptionPlan extends Omit<OperationPlan, 'roots'> {
  readonly roots: readonly SubscriptionRoot[]
  /** Null: the result of an action. */
  readonly source: string | null
}

/**
 * Validates a subscription and plans it in the same walk (reference/subscriptions#which-are-valid,
 * reference/websockets#rules-of-operations). Throws ApiError: validation-failed for more than one root field,
 * not-supported for what cannot be subscribed to.
 */
export function planSubscription(
  request: OperationRequest,
  schema: RoleSchema,
  settings: GraphqlSettings,
  asked = new AskedParts(),
): SubscriptionPlan {
  const chosen = selectOperation(request.document, request.operationName)
  const { operation } = chosen
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) throw new Error('not a subscription')
  if (!hasSubscriptionRoot(schema)) throw invalid(Path.root, 'no subscriptions exist')
  const used = usedVariables(chosen, settings.maxDepth)
  const variables = readVariables(operation.variableDefinitions ?? [], request.variables, used, settings)
  const context = contextOf(schema, settings, chosen.fragments, variables, asked)
  context.uses.add('inherited-role', schema.role)
  checkSubscriptionDirectives(context, operation.directives, Path.root)
  const severalAllowed = multipleFields(operation.directives)
  const roots = planRoots(context, subscriptionRoot(schema), operation.selectionSet.selections, Path.root)
  if (roots.length !== 1 && !(severalAllowed && roots.length > 1))
    throw invalid(Path.root, 'subscriptions must select one top level field')
  for (const root of roots)
    if (root.kind === 'text')
      throw notSupported('Introspection at root field level is not supported over subscriptions')
  if (joinsOf(context).length > 0) throw notSupported('Remote relationships are not allowed in subscriptions')
  return {
    isMutation: false,
    operationName: operation.name?.value ?? null,
    roots,
    joins: [],
    source: sourceOf(roots),
    usedVariables: used,
    guards: variables.guards,
    templates: context.templates,
    checks: context.checks,
    selections: context.selections,
    uses: context.uses.list(),
    asked: namingVariables(asked, variables),
  }
}

function planRoots(
  context: Context,
  type: ObjectType<SubscriptionRootMeaning>,
  selections: readonly SelectionNode[],
  path: Path,
): readonly SubscriptionRoot[] {
  return selectedFields(context, type, selections, path).map((selected): SubscriptionRoot => {
    if (selected.kind === 'typename') return { kind: 'text', responseKey: selected.as, text: selected.name }
    const { field, as } = selected
    const { meaning } = field
    if (meaning.kind === 'space') {
      context.uses.add('namespace', field.name)
      const roots = planRoots(context, meaning.type, selected.selections, selected.path)
      return { kind: 'namespace', responseKey: as, roots }
    }
    if (meaning.kind === 'stream') {
      const types = useTable(context, meaning.table)
      const query = planStream(context, types, selected)
      return { kind: 'stream', responseKey: as, source: types.table.table.source, query }
    }
    const root = planRoot(context, { ...selected, field: { ...field, meaning } })
    if (root.kind === 'database') return root
    if (root.kind === 'action') {
      if (root.form !== 'result') throw notSupported('query actions cannot be run as a subscription')
      return { kind: 'action', responseKey: as }
    }
    if (isRemote(root)) throw notSupported('subscription to remote server is not supported')
    throw notSupported('Introspection at root field level is not supported over subscriptions')
  })
}

const isRemote = (root: PlannedRoot): boolean =>
  root.kind === 'remote' || (root.kind === 'namespace' && root.roots.some(isRemote))

/** Returns the one source of all root fields. Throws not-supported for several, and for streams among other fields. */
function sourceOf(roots: readonly SubscriptionRoot[]): string | null {
  if (roots.every(({ kind }) => kind === 'action')) return null
  const asking = roots.flatMap(queriesIn)
  const [first] = asking
  if (roots.some(({ kind }) => kind === 'action'))
    throw notSupported('all fields of a subscription must be from the same source')
  if (!first) throw invalid(Path.root, 'subscriptions must select one top level field')
  const streams = asking.filter(({ kind }) => kind === 'stream').length
  if (streams > 0 && asking.length > 1)
    throw notSupported(
      streams === asking.length
        ? 'a streaming subscription must select one top level field'
        : 'streaming and live query fields cannot be mixed in one subscription',
    )
  if (asking.some(({ source }) => source !== first.source))
    throw notSupported('all fields of a subscription must be from the same source')
  return first.source
}

type Asking = Extract<SubscriptionRoot, { readonly kind: 'database' | 'stream' }>

function queriesIn(root: SubscriptionRoot): readonly Asking[] {
  switch (root.kind) {
    case 'database':
    case 'stream':
      return [root]
    case 'text':
    case 'action':
      return []
    case 'namespace':
      return root.roots.flatMap(queriesIn)
  }
}

const notSupported = (message: string) => new ApiError('not-supported', Path.root, message)
