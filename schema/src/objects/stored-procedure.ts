import { perStyle } from '../backend-kind.ts'
import { name, oneOf, optional, record, text, unless, type Value } from '../shape.ts'
import { queryArguments } from './native-query.ts'
import { qualifiedName } from './qualified-name.ts'

/** A stored procedure of SQL Server (reference/metadata-operations#native-queries-and-logical-models). */
export const storedProcedureShape = perStyle((style) => ({
  stored_procedure: qualifiedName(style),
  configuration: record({ exposed_as: oneOf('query'), custom_name: optional(name) }),
  returns: name,
  arguments: unless<Value<typeof queryArguments>>({}, queryArguments),
  description: optional(text),
}))

export const storedProcedure = perStyle((style) => record(storedProcedureShape(style)))
export type StoredProcedure = Value<ReturnType<typeof storedProcedure>>
