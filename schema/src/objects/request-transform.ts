import type { Json } from '../json.ts'
import {
  choose,
  filled,
  integer,
  isRecord,
  json,
  list,
  mapOf,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'

const bodyObject = record({
  action: oneOf('transform', 'remove', 'x_www_form_urlencoded'),
  template: optional(text),
  form_template: optional(mapOf(text)),
})

/** Version 1: a template as text; version 2: what to do with the body. */
const body = choose<string | Value<typeof bodyObject>>((value) => (isRecord(value) ? bodyObject : text))

const requestHeaders = record({ add_headers: optional(mapOf(text)), remove_headers: optional(list(text)) })

const queryParameters: Schema<Json> = choose<Json>((value) => (isRecord(value) ? mapOf(json) : text))

/** The only one there is. */
const templateEngine: Schema<string> = oneOf('Kriti')

const version: Schema<number> = filled(
  integer.refine((value) => value === 1 || value === 2, 'expected 1 or 2'),
  1,
)

/**
 * How a request to a webhook is rewritten (reference/metadata-document#objects). The short form is version 1.
 */
export const requestTransform = record({
  version,
  template_engine: filled(templateEngine, 'Kriti'),
  method: optional(text),
  url: optional(text),
  query_params: optional(queryParameters),
  request_headers: optional(requestHeaders),
  body: optional(body),
})
export type RequestTransform = Value<typeof requestTransform>

export const responseTransform = record({
  version,
  template_engine: filled(templateEngine, 'Kriti'),
  body: optional(body),
})
export type ResponseTransform = Value<typeof responseTransform>
