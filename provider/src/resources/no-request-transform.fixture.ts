/** A transform of requests that changes nothing. */
import type { Values } from './value.ts'

export const noRequestTransform: Values = {
  method: null,
  url: null,
  query_params: null,
  query_flags: null,
  query_template: null,
  add_headers: null,
  remove_headers: null,
  body: null,
}
