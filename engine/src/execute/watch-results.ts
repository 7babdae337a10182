import { Kind, type OperationDefinitionNode, OperationTypeNode, print } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import { type GraphqlSettings, parseDocument, selectOperation } from '../graphql/index.ts'
import { type Model, visibleAction } from '../model/index.ts'
import type { GraphqlAnswer } from './execute-graphql.ts'
import type { GraphqlRequest } from './graphql-request.ts'

/**
 * A subscription to the results of asynchronous actions, as the query that asks for the same; null: it is to something
 * else. Throws what parsing does.
 */
export function resultQuery(
  request: GraphqlRequest,
  role: string,
  model: Model,
  settings: GraphqlSettings,
): GraphqlRequest | null {
  const document = parseDocument(request.query, settings)
  const { operation } = selectOperation(document, request.operationName)
  const { selections } = operation.selectionSet
  const areResults = selections.every(
    (node) => node.kind === Kind.FIELD && visibleAction(model, role, node.name.value)?.kind === 'asynchronous',
  )
  if (!areResults || operation.operation !== OperationTypeNode.SUBSCRIPTION) return null
  if (selections.length > 1)
    throw new ApiError('validation-failed', Path.root, 'subscriptions must select one top level field')
  const asQuery: OperationDefinitionNode = { ...operation, operation: OperationTypeNode.QUERY }
  const definitions = document.definitions.map((definition) => (definition === operation ? asQuery : definition))
  return { ...request, query: print({ ...document, definitions }) }
}

export interface WatchEvents {
  next(body: readonly Buffer[]): void
  refused(error: ApiError): void
  completed(): void
  readonly keepsUp: () => boolean
}

/**
 * Pushes a result when it changes and ends once there is one (spec 03 §2.8). `first` has been asked already; `ask`
 * rejects with ApiErrors. The result ends it.
 */
export function watchResults(
  first: GraphqlAnswer,
  ask: () => Promise<GraphqlAnswer>,
  events: WatchEvents,
  milliseconds: number,
): () => void {
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  let last = ''
  const show = ({ body, awaitsResult }: GraphqlAnswer): void => {
    const text = Buffer.concat(body).toString('latin1')
    if (text !== last) events.next(body)
    last = text
    if (awaitsResult) timer = setTimeout(look, milliseconds).unref()
    else events.completed()
  }
  const look = async (): Promise<void> => {
    try {
      if (!events.keepsUp()) timer = setTimeout(look, milliseconds).unref()
      else {
        const answer = await ask()
        if (!isEnded) show(answer)
      }
    } catch (error) {
      if (!isEnded)
        events.refused(
          error instanceof ApiError ? error : new ApiError('unexpected', Path.root, 'internal error', { status: 500 }),
        )
    }
  }
  // whoever began it has to know it before it ends
  setImmediate(() => {
    if (!isEnded) show(first)
  })
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
