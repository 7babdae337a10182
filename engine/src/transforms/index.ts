/**
 * transforms: how requests to webhooks and their responses are rewritten (reference/transforms). Begin at
 * compile-transform.ts: a transform's templates are parsed once, when the schema cache is built;
 * apply-request-transform.ts and apply-response-transform.ts use them for each call. Pure; imports templates and the
 * shapes of http-client.
 */
export { applyRequestTransform, type TransformedRequest } from './apply-request-transform.ts'
export { applyResponseTransform, type RespondedTo } from './apply-response-transform.ts'
export {
  type CompiledRequestTransform,
  type CompiledResponseTransform,
  compileRequestTransform,
  compileResponseTransform,
} from './compile-transform.ts'
export { type RequestContext, requestContext, type SessionVariables } from './context.ts'
export { placeOfFault } from './fault-place.ts'

export type { RequestBody } from './transform-body.ts'
export type { TransformError } from './transform-error.ts'
