import { type DocumentNode, GraphQLError, parse } from 'graphql'
import { ApiError, Path } from '../../errors.ts'
import type { GraphqlSettings } from '../settings.ts'
import { checkNesting } from './check-nesting.ts'

/** Text -> syntax tree. Throws validation-failed `not a valid graphql query` at `$.query` (spec 02 §7.1). */
export function parseDocument(text: string, settings: GraphqlSettings): DocumentNode {
  checkNesting(text, settings.maxDepth)
  try {
    return parse(text, { noLocation: true, maxTokens: settings.maxTokens })
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause
    throw new ApiError('validation-failed', Path.root.at('query'), 'not a valid graphql query', {
      internal: describe(cause),
    })
  }
}

/** The parser's words and the place, for whoever may see internals. */
function describe(error: GraphQLError): string {
  const [at] = error.locations ?? []
  return at ? `${error.message} (line ${at.line}, column ${at.column})` : error.message
}
