import { type DocumentNode, GraphQLError, parse } from 'graphql'
import type { GraphqlSettings } from '../settings.ts'
import { checkText, invalidDocument } from './check-text.ts'

/** Text -> syntax tree. Throws validation-failed `not a valid graphql query` at `$.query` (spec 02 §7.1). */
export function parseDocument(text: string, settings: GraphqlSettings): DocumentNode {
  checkText(text, settings)
  try {
    return parse(text, { noLocation: true, maxTokens: settings.maxTokens })
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause
    throw invalidDocument(describe(cause))
  }
}

/** The parser's words and the place, for whoever may see internals. */
function describe(error: GraphQLError): string {
  const [at] = error.locations ?? []
  return at ? `${error.message} (line ${at.line}, column ${at.column})` : error.message
}
