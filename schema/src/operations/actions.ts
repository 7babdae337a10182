import { actionDefinition } from '../objects/action.ts'
import { customEnum, customInputObject, customObject, customScalar, customTypes } from '../objects/custom-types.ts'
import { graphqlName } from '../objects/graphql-type.ts'
import { requestTransform, responseTransform } from '../objects/request-transform.ts'
import {
  boolean,
  choose,
  exactlyOne,
  filled,
  json,
  lenient,
  list,
  mapOf,
  name,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'

/** create_action, update_action (reference/actions#operations): a missing comment of the latter removes it. */
export const actionArgs = lenient({ name: graphqlName, definition: actionDefinition, comment: optional(text) })
export type ActionArgs = Value<typeof actionArgs>

/** drop_action: `clear_data` deletes what the asynchronous action has logged. */
export const dropActionArgs = lenient({ name, clear_data: filled(boolean, true) })

/** create_action_permission */
export const createActionPermissionArgs = lenient({ action: name, role: name, comment: optional(text) })

/** drop_action_permission: `action`, or `name` as older clients say. */
export const dropActionPermissionArgs = lenient({ action: name, role: name }, { aliases: { name: 'action' } })

/** set_custom_types: replaces all of them. */
export const setCustomTypesArgs = customTypes

/** create_custom_type: one more, or with `replace` another in place of that of its name. An addition of our own. */
export const createCustomTypeArgs = exactlyOne(
  lenient({
    input_object: optional(customInputObject),
    object: optional(customObject),
    scalar: optional(customScalar),
    enum: optional(customEnum),
    replace: filled(boolean, false),
  }),
  ['input_object', 'object', 'scalar', 'enum'],
)
export type CreateCustomTypeArgs = Value<typeof createCustomTypeArgs>

/** drop_custom_type */
export const dropCustomTypeArgs = lenient({ name })

const fromEnvironment = record({ from_env: text })
const webhookUrl: Schema<string | Value<typeof fromEnvironment>> = choose<string | Value<typeof fromEnvironment>>(
  (value) => (typeof value === 'string' ? text : fromEnvironment),
)

const headerPair = list(text).refine((pair) => pair.length === 2, 'expected a pair of name and value')

/** test_webhook_transform (reference/transforms#trying-a-transform). */
export const testWebhookTransformArgs = lenient({
  webhook_url: webhookUrl,
  body: json,
  request_transform: requestTransform,
  response_transform: optional(responseTransform),
  env: filled(mapOf(text), {}),
  request_headers: filled(list(headerPair), []),
  session_variables: optional(mapOf(text)),
})
export type TestWebhookTransformArgs = Value<typeof testWebhookTransformArgs>
