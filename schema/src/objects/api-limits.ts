import type { Json } from '../json.ts'
import {
  boolean,
  choose,
  integer,
  list,
  mapOf,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'

const limit = <T>(value: Schema<T>) =>
  record({ global: value, per_role: unless<Readonly<Record<string, T>>>({}, mapOf(value)) })

const uniqueParameters: Schema<Json> = choose<Json>((value) => (typeof value === 'string' ? oneOf('IP') : list(text)))

const rate = record({ max_reqs_per_min: integer, unique_params: optional(uniqueParameters) })

/** Limits of requests, for all and by role (reference/metadata-operations#roles-limits-telemetry). */
export const apiLimits = record({
  disabled: unless(false, boolean),
  depth_limit: optional(limit(integer)),
  node_limit: optional(limit(integer)),
  time_limit: optional(limit(number)),
  batch_limit: optional(limit(integer)),
  rate_limit: optional(limit(rate)),
})
export type ApiLimits = Value<typeof apiLimits>
