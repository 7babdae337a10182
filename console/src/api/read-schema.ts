import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { type Caller, type Client, EngineError } from '../engine/client.ts'

/** The schema that a role has. Throws EngineError. */
export async function readSchema(client: Client, caller: Caller | null): Promise<GraphQLSchema> {
  const query = getIntrospectionQuery({ inputValueDeprecation: true })
  const answer = (await client.graphql({ query, variables: {}, operationName: null }, caller)) as unknown as {
    readonly data?: IntrospectionQuery
    readonly errors?: readonly { readonly message: string }[]
  }
  if (answer.data) return buildClientSchema(answer.data)
  throw new EngineError(answer.errors?.[0]?.message ?? 'The engine gave no schema.', 'refused', '')
}
