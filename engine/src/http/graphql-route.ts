import { ApiError, errorBody, Path } from '../errors.ts'
import { graphqlErrorBody, unexpectedError } from './error-reply.ts'
import { type Asked, type ErrorStyle, jsonBody, type Reply, type Route } from './route.ts'
import type { Services } from './services.ts'

/** GraphQL over HTTP: one operation or a batch, run one after another (spec 04 §1.2). */
export function graphqlRoutes(
  services: Services,
  crashed: (requestId: string, error: unknown) => void,
): readonly Route[] {
  const route = (path: string, errors: ErrorStyle): readonly Route[] => {
    const shared = { path, api: 'graphql', authenticated: true, errors } as const
    return [
      { ...shared, method: 'POST', answer: (asked) => answerPost(asked) },
      { ...shared, method: 'GET', answer: () => Promise.reject(persisted()) },
    ]
  }

  const answerPost = async (asked: Asked): Promise<Reply> => {
    if (Array.isArray(asked.body)) return answerBatch(asked, asked.body)
    const { body } = await run(asked, asked.body)
    return { status: 200, body, mode: 'single', error: null }
  }

  const answerBatch = async (asked: Asked, operations: readonly unknown[]): Promise<Reply> => {
    const parts: Buffer[] = []
    let firstError: Reply['error'] = null
    for (const operation of operations) {
      parts.push(parts.length === 0 ? opening : comma)
      try {
        parts.push(...(await run(asked, operation)).body)
      } catch (cause) {
        const error = cause instanceof ApiError ? cause : unexpectedError(cause)
        if (error !== cause) crashed(asked.requestId, cause)
        firstError ??= errorBody(error, true)
        parts.push(...jsonBody(graphqlErrorBody(error, asked.internals(asked.session))))
      }
    }
    if (parts.length === 0) parts.push(opening)
    parts.push(closing)
    return { status: 200, body: parts, mode: 'batched', error: firstError }
  }

  const run = (asked: Asked, operation: unknown) =>
    services.graphql(operation, asked.session, asked.requestId, asked.signal)

  return [...route('/v1/graphql', 'graphql-200'), ...route('/v1alpha1/graphql', 'graphql')]
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')

const persisted = () => new ApiError('not-supported', Path.root, 'PersistedQueryNotSupported')
