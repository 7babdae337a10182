import { checkDepth, depthLimit, isRecord } from '@svc/schema'
import { OperationTypeNode } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import { longContainer } from '../exact-json/index.ts'
import { type GraphqlSettings, operationKind, type VariableValues } from '../graphql/index.ts'

/** One GraphQL operation as a client sends it (reference/queries#transport). */
export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | null
  readonly variables: VariableValues
  /** Of a subscription that is executed again and again: like a query. */
  readonly isRepeated?: boolean
}

/**
 * The body of one operation. Throws parse-failed for a wrong shape, not-supported for a persisted
 * query without its text, which clients then send. Unknown keys are ignored.
 */
export function parseGraphqlRequest(json: unknown): GraphqlRequest {
  if (!isRecord(json))
    throw shapeError(Path.root, `parsing GraphQLRequest failed, expected Object, but encountered ${kindOf(json)}`)
  const { query, operationName, variables, extensions } = json
  if (query === undefined && isRecord(extensions) && extensions.persistedQuery !== undefined)
    throw new ApiError('not-supported', Path.root, 'PersistedQueryNotSupported')
  if (query === undefined) throw shapeError(Path.root, 'key "query" not found')
  if (typeof query !== 'string') throw shapeError(Path.root.at('query'), expected('String', query))
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw shapeError(Path.root.at('operationName'), expected('String', operationName))
  if (variables !== undefined && variables !== null && !isRecord(variables))
    throw shapeError(Path.root.at('variables'), expected('Object', variables))
  if (variables && isTooDeep(variables))
    throw shapeError(Path.root.at('variables'), `nested more than ${depthLimit} levels deep`)
  return { query, operationName: operationName ?? null, variables: variables ?? {} }
}

/** The parser has counted the levels of what is long. */
function isTooDeep(variables: object): boolean {
  const long = longContainer(variables)
  return long ? long.levels > depthLimit : checkDepth(variables) !== null
}

const shapeError = (path: Path, message: string) => new ApiError('parse-failed', path, message)

const expected = (wanted: string, json: unknown) => `expected ${wanted}, but encountered ${kindOf(json)}`

function kindOf(json: unknown): string {
  if (json === null) return 'Null'
  if (Array.isArray(json)) return 'Array'
  if (typeof json === 'boolean') return 'Boolean'
  if (typeof json === 'number' || typeof json === 'bigint') return 'Number'
  return typeof json === 'string' ? 'String' : 'Object'
}

/** Whether the chosen operation is a subscription. Throws as parsing and choosing do, where it has to parse. */
export function isSubscription(request: GraphqlRequest, settings: GraphqlSettings): boolean {
  return request.query.includes('subscription') && operationKind(request, settings) === OperationTypeNode.SUBSCRIPTION
}
