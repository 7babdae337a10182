import { lenient, list, text } from '../shape.ts'

/** set_graphql_schema_introspection_options (reference/metadata-operations#roles-limits-telemetry). */
export const setIntrospectionOptionsArgs = lenient({ disabled_for_roles: list(text) })
