import { z } from 'zod'
import {
  boolean,
  filled,
  integer,
  isRecord,
  list,
  name,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { graphqlName, graphqlType } from './graphql-type.ts'
import { headers } from './header.ts'
import { requestTransform, responseTransform } from './request-transform.ts'
import { withHandlerVariable } from './webhook-forms.ts'

/**
 * Headers of the client that are never forwarded to a handler, unless the action has a list of its own
 * (reference/metadata-operations#operations-on-actions).
 */
export const defaultIgnoredClientHeaders: readonly string[] = [
  'Content-Length',
  'Content-MD5',
  'User-Agent',
  'Host',
  'Origin',
  'Referer',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Accept-Datetime',
  'Cache-Control',
  'Connection',
  'DNT',
  'Content-Type',
]

const actionArguments = list(record({ name: graphqlName, type: graphqlType, description: optional(text) }))

const timeout = integer.refine((seconds) => seconds >= 0, 'timeout value cannot be negative')

const withKind = record({
  handler: text,
  output_type: graphqlType,
  forward_client_headers: unless(false, boolean),
  ignored_client_headers: filled(list(text), defaultIgnoredClientHeaders),
  headers: unless<Value<typeof headers>>([], headers),
  arguments: unless<Value<typeof actionArguments>>([], actionArguments),
  request_transform: optional(requestTransform),
  response_transform: optional(responseTransform),
  type: filled(oneOf('mutation', 'query'), 'mutation'),
  kind: filled(oneOf('synchronous', 'asynchronous'), 'synchronous'),
  timeout: unless(30, timeout),
})
type Definition = Value<typeof withKind>
export type ActionDefinition = Omit<Definition, 'kind'> & { readonly kind?: Definition['kind'] }

/** Queries have no kind, whatever older tools write there. */
function withoutKindOfQuery(json: unknown): unknown {
  if (!isRecord(json) || json.type !== 'query') return json
  const { kind: _, ...others } = json
  return others
}

/**
 * A custom field answered by a webhook (reference/metadata-operations#operations-on-actions,
 * reference/metadata-document#objects).
 */
export const actionDefinition: Schema<ActionDefinition> = z
  .preprocess(withoutKindOfQuery, withHandlerVariable(withKind))
  .transform((given) => {
    if (given.type === 'mutation') return given
    const { kind: _, ...query } = given // queries are answered at once, the contract has no kind for them
    return query
  })

export const action = record({ name: graphqlName, definition: actionDefinition, comment: optional(text) })
export type Action = Value<typeof action>

export const actionPermission = record({ role: name, comment: optional(text) })
export type ActionPermission = Value<typeof actionPermission>
