import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { Kind, parse } from 'graphql/language/index.js'
import { type Schema, text } from '../shape.ts'

/** A GraphQL document that could be run: operations and fragments, no type definitions. Stored as it is written. */
export const graphqlText: Schema<string> = text.superRefine((value, context) => {
  const problem = problemOf(value)
  if (problem !== null) context.addIssue({ code: 'custom', message: `not a valid graphql query: ${problem}` })
})

/** Tokens: far beyond what a person writes, and parsed in milliseconds. */
const MOST_TOKENS = 100_000

function problemOf(value: string): string | null {
  try {
    const { definitions } = parse(value, { noLocation: true, maxTokens: MOST_TOKENS })
    const isExecutable = definitions.every(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION,
    )
    return isExecutable ? null : 'it defines types'
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause
    const [at] = cause.locations ?? []
    return at ? `${cause.message} (line ${at.line}, column ${at.column})` : cause.message
  }
}
