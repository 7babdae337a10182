import { type DocumentNode, GraphQLError, parse } from 'graphql'
import { invalid, Path } from '../../errors.ts'
import type { GraphqlSettings } from '../settings.ts'
import { checkText, invalidDocument } from './check-text.ts'

/**
 * Text -> syntax tree. Throws validation-failed at `$.query`: `not a valid graphql query`
 * (reference/queries#transport), or that it is too long.
 */
export function parseDocument(text: string, settings: GraphqlSettings): DocumentNode {
  if (text.length > settings.maxSize)
    throw invalid(
      Path.root.at('query'),
      `the query has more than ${settings.maxSize} characters (--max-query-size): pass long values as variables`,
    )
  checkText(text, settings)
  try {
    return parse(text, { noLocation: true, maxTokens: settings.maxTokens })
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause
    throw invalidDocument(
      describe(cause),
      cause.locations?.map(({ line, column }) => ({ line, column })),
    )
  }
}

/** The parser's message and the place, for roles that may see internals. */
function describe(error: GraphQLError): string {
  const [at] = error.locations ?? []
  return at ? `${error.message} (line ${at.line}, column ${at.column})` : error.message
}
