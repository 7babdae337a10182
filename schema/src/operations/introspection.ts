import { list, record, text, type Value } from '../shape.ts'

/** set_graphql_schema_introspection_options (reference/metadata-operations#roles-limits-telemetry). */
export const setIntrospectionOptionsArgs = record({ disabled_for_roles: list(text) }, { unknown: 'ignore' })
export type SetIntrospectionOptionsArgs = Value<typeof setIntrospectionOptionsArgs>
