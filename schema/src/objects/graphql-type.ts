import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { Kind, parseType, type TypeNode } from 'graphql/language/index.js'
import { type Schema, text } from '../shape.ts'

/** A type as GraphQL writes it: a name, or a list or non-null type of another. */
export type GraphqlType =
  | { readonly kind: 'named'; readonly name: string; readonly nullable: boolean }
  | { readonly kind: 'list'; readonly of: GraphqlType; readonly nullable: boolean }

/** Null where the text is no type. */
export function parseGraphqlType(given: string): GraphqlType | null {
  try {
    return fromNode(parseType(given, { noLocation: true, maxTokens: 200 }), true)
  } catch (cause) {
    if (cause instanceof GraphQLError) return null
    throw cause
  }
}

function fromNode(node: TypeNode, nullable: boolean): GraphqlType {
  switch (node.kind) {
    case Kind.NAMED_TYPE:
      return { kind: 'named', name: node.name.value, nullable }
    case Kind.LIST_TYPE:
      return { kind: 'list', of: fromNode(node.type, true), nullable }
    case Kind.NON_NULL_TYPE:
      return fromNode(node.type, false)
  }
}

export const namedTypeOf = (type: GraphqlType): string => (type.kind === 'list' ? namedTypeOf(type.of) : type.name)

/** Stored as it is written. */
export const graphqlType: Schema<string> = text.superRefine((value, context) => {
  if (parseGraphqlType(value) === null)
    context.addIssue({ code: 'custom', message: `not a valid GraphQL type: ${value}` })
})

export const graphqlName: Schema<string> = text.superRefine((value, context) => {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(value))
    context.addIssue({ code: 'custom', message: `${value} is not a valid GraphQL name` })
})
