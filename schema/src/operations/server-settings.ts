/**
 * Arguments of the operations on roles and on settings of the whole server
 * (reference/metadata-operations#roles-limits-telemetry).
 */
import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { apiLimits } from '../objects/api-limits.ts'
import { opentelemetry } from '../objects/opentelemetry.ts'
import { metricsConfig } from '../objects/server-settings.ts'
import {
  jsonObject,
  lenient,
  list,
  name,
  nonEmpty,
  oneOf,
  optional,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'

export const setApiLimitsArgs = apiLimits
export const setMetricsConfigArgs = metricsConfig
export const setOpentelemetryConfigArgs = opentelemetry

/** set_opentelemetry_status: the status itself, which may be a `{{VARIABLE}}`. */
export const setOpentelemetryStatusArgs: Schema<string> = text.refine(
  (status) => status === 'enabled' || status === 'disabled' || /^\{\{[^{}]+\}\}$/.test(status),
  'expected "enabled", "disabled" or {{VARIABLE}}',
)

export const addTlsHostArgs = lenient({
  host: text,
  suffix: optional(text),
  permissions: unless<readonly string[]>([], list(oneOf('self-signed'))),
})

export const dropTlsHostArgs = lenient({ host: text, suffix: optional(text) })
export type DropTlsHostArgs = Value<typeof dropTlsHostArgs>

/** set_graphql_schema_introspection_options */
export const setIntrospectionOptionsArgs = lenient({ disabled_for_roles: list(text) })

/** add_inherited_role */
export const addInheritedRoleArgs = lenient({ role_name: name, role_set: nonEmpty(text) })

/** drop_inherited_role: `role`, or `role_name`. */
export const dropInheritedRoleArgs = lenient({ role: name }, { aliases: { role_name: 'role' } })

/**
 * set_catalog_state: what a client of the metadata API stores in the catalogue. `expected`: the state that it was made
 * from, so that of two clients that write at once neither loses what the other wrote.
 */
export const setCatalogStateArgs = lenient({
  type: oneOf('cli', 'console'),
  state: jsonObject,
  expected: optional(jsonObject),
})

/** Operations without arguments that may also get none at all. */
export const noArgs: Schema<JsonObject> = z.unknown().transform(() => ({}))
