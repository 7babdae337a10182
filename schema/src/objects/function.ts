import { perStyle } from '../backend-kind.ts'
import { json, name, oneOf, optional, record, text, unless, type Value } from '../shape.ts'
import { qualifiedName } from './qualified-name.ts'
import { refuseSameNames } from './table-configuration.ts'

const customRootFields = record({ function: optional(name), function_aggregate: optional(name) }).superRefine(
  (fields, context) => refuseSameNames(Object.values(fields), context),
)

export const functionConfiguration = record({
  session_argument: optional(text),
  exposed_as: optional(oneOf('query', 'mutation')),
  custom_name: optional(name),
  custom_root_fields: unless({}, customRootFields),
  response: optional(json),
})
export type FunctionConfiguration = Value<typeof functionConfiguration>

/** A tracked SQL function (reference/metadata-operations#functions). */
export const trackedFunction = perStyle((style) =>
  record({ function: qualifiedName(style), configuration: unless({}, functionConfiguration), comment: optional(text) }),
)
export type TrackedFunction = Value<ReturnType<typeof trackedFunction>>

export const functionPermission = record({ role: name })
export type FunctionPermission = Value<typeof functionPermission>
