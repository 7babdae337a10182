/**
 * Who may request the schema (reference/metadata-operations#roles-limits-telemetry,
 * reference/http#limits-and-federation).
 */
import {
  address,
  equalJson,
  findObject,
  isDefaultObject,
  ownKey,
  removeObject,
  setIntrospectionOptionsArgs,
  setValue,
} from '@svc/schema'
import { defineOperation, type Operation } from '../operation.ts'

const at = address('graphql_schema_introspection', ownKey('graphql_schema_introspection', {}))

/** set_graphql_schema_introspection_options: replaces the roles that introspection is refused to. */
const setIntrospectionOptions = defineOperation({
  type: 'set_graphql_schema_introspection_options',
  args: setIntrospectionOptionsArgs,
  check: 'no-new',
  apply(document, args) {
    const value = args
    const known = findObject(document, at)
    if (isDefaultObject(at.type, value))
      return { document: known ? removeObject(document, at) : document, touched: [at] }
    return {
      document: known && equalJson(known.value, value) ? document : setValue(document, at, value),
      touched: [at],
    }
  },
})

export const introspectionOperations: readonly Operation[] = [setIntrospectionOptions]
