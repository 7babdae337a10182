import { createHash } from 'node:crypto'
import { findObject, isRecord, type JsonObject, sourceAddress } from '@svc/schema'
import type { Model } from '../model/index.ts'
import type { GraphqlRequest } from './graphql-request.ts'

/**
 * What a source's SQL says of the operation it is part of, as a comment at its end (set_query_tags). It is the same for
 * every request with a plan, so that statements stay prepared: it has no request id, whatever `omit_request_id` says.
 */
export function queryTag(
  tags: JsonObject | null,
  fieldName: string,
  { query, operationName }: Pick<GraphqlRequest, 'query' | 'operationName'>,
): string {
  if (tags === null) return ''
  const facts: readonly (readonly [string, string | null])[] = [
    ['field_name', fieldName],
    ['operation_name', operationName],
    ['parametrized_query_hash', createHash('sha1').update(query).digest('hex')],
  ]
  const given = facts.flatMap(([key, value]) => (value === null ? [] : [[key, harmless(value)] as const]))
  return tags.format === 'sqlcommenter'
    ? ` /*${given.map(([key, value]) => `${key}='${value}'`).join(',')}*/`
    : ` /* ${given.map(([key, value]) => `${key}=${value}`).join(', ')} */`
}

/** Nothing that could end the comment; names in GraphQL hold nothing else anyway. */
const harmless = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27').replaceAll('*', '%2A')

/** The tags that metadata wants on a source; null: none. */
export function tagsOf({ input: { document } }: Model, source: string): JsonObject | null {
  const tags = findObject(document, sourceAddress(source))?.value.query_tags
  return isRecord(tags) && tags.disabled !== true ? tags : null
}

/** Returns the tags of several sources as one text, to be compared. */
export const tagsText = (model: Model, sources: readonly string[]): string =>
  JSON.stringify(sources.map((source) => tagsOf(model, source)))
