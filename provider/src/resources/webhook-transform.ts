import { isRecord, type Json, type JsonObject, recordOf, textsIn } from '@svc/schema'
import { filled, fromKey, type InputDeclaration } from './attributes-of.ts'
import { bodyTransform } from './body-action.ts'
import type { Codec } from './define-resource.ts'
import { defined, parsedJson } from './in-table.ts'
import type { Path } from './value.ts'

/**
 * How the request to a webhook is rewritten, by templates of the language Kriti
 * (reference/transforms#request-transforms).
 */
export const requestTransform: InputDeclaration = {
  description: 'How the request is rewritten, by templates of the language Kriti.',
  typeName: 'RequestTransform',
  of: {
    method: filled('HTTP method in place of its own.'),
    url: 'Template of the whole URL.',
    query_params: {
      description: 'Templates of the query: values by keys. One that yields null is left out.',
      from: 'request_headers.add_headers',
    },
    query_flags: {
      description: 'Keys of the query without a value, in addition to `query_params`.',
      from: 'request_headers.remove_headers',
      set: true,
    },
    query_template: {
      description: 'One template of the whole query, in place of `query_params` and `query_flags`.',
      from: 'query_params',
    },
    ...fromKey('request_headers', {
      add_headers: {
        description: 'Templates of headers that are added, or take the place of those of their names.',
        sensitive: true,
      },
      remove_headers: { description: 'Headers that are not sent, before others are added.', set: true },
    }),
    body: bodyTransform,
  },
}

/** How what a webhook answers is rewritten. */
export const responseTransform: InputDeclaration = {
  description: 'How the response is rewritten, by templates of the language Kriti.',
  typeName: 'ResponseTransform',
  of: { body: bodyTransform },
}

/** A body of version 1 is the text of a template: what version 2 calls `transform`. */
const bodyOf = (stored: Json | undefined): Json | undefined =>
  typeof stored === 'string' ? { action: 'transform', template: stored } : stored

/** They are version 2 in the metadata; version 1 differs only in the spelling of the body. */
const encodeRequest = (json: Json | undefined): Json | undefined => {
  if (!isRecord(json)) return json
  const { method, url, query_params, query_flags, query_template, add_headers, remove_headers, body } = json
  const pairs = { ...recordOf(query_params), ...Object.fromEntries(textsIn(query_flags).map((key) => [key, null])) }
  return defined({
    version: 2,
    method,
    url,
    query_params: query_template ?? (query_params === undefined && query_flags === undefined ? undefined : pairs),
    request_headers:
      add_headers === undefined && remove_headers === undefined ? undefined : defined({ add_headers, remove_headers }),
    body,
  })
}

const decodeRequest = (json: Json | undefined): Json | undefined => {
  if (!isRecord(json)) return json
  const { method, url, query_params: query, request_headers, body } = json
  const { add_headers, remove_headers } = recordOf(request_headers)
  const pairs = isRecord(query) ? Object.entries(query) : []
  const values = pairs.flatMap(([key, value]) => (value === null ? [] : [[key, textOf(value)] as const]))
  const flags = pairs.flatMap(([key, value]) => (value === null ? [key] : []))
  return defined({
    method,
    url,
    query_params: values.length === 0 ? undefined : Object.fromEntries(values),
    query_flags: flags.length === 0 ? undefined : flags,
    query_template: isRecord(query) ? undefined : query,
    add_headers: isRecord(add_headers) && Object.keys(add_headers).length === 0 ? undefined : add_headers,
    remove_headers: Array.isArray(remove_headers) && remove_headers.length === 0 ? undefined : remove_headers,
    body: bodyOf(body),
  })
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const decodeRequestPath = (path: Path): Path => {
  const [head, ...rest] = path
  if (head === 'request_headers') return rest
  if (head === 'query_params' && rest.length === 0) return ['query_template']
  return bodyPath(path)
}

const bodyPath = (path: Path): Path => (path.length === 1 && path[0] === 'body' ? ['body', 'template'] : path)

/** Of the attributes `request_transform` and `response_transform`. */
export const transformCodecs: Readonly<Record<'request_transform' | 'response_transform', Codec>> = {
  request_transform: { encode: encodeRequest, decode: decodeRequest, decodePath: decodeRequestPath },
  response_transform: {
    encode: (json) => (isRecord(json) ? { version: 2, ...json } : json),
    decode: (json) => (isRecord(json) ? defined({ body: bodyOf(json.body) }) : json),
    decodePath: bodyPath,
  },
}

/** Upgrades a state of when both were JSON in the spelling of the metadata: a text for some tools, a value for others. */
export const transformsOfJson = (state: JsonObject): JsonObject => ({
  ...state,
  ...defined({
    request_transform: decodeRequest(parsedJson(state.request_transform)),
    response_transform: transformCodecs.response_transform.decode?.(parsedJson(state.response_transform)),
  }),
})
