import type { PlanRequest } from '../../core/index.ts'
import type { Decoded, Encodable } from '../../protobuf/index.ts'
import type { create } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import { type Context, hider, judge, receivedValues, resourceType, sentProperties, withVersion } from './context.ts'
import { timeLimit } from './time-limit.ts'

/** Makes a resource, or in a preview lets the engine say what it would answer. */
export async function answerCreate(
  context: Context,
  { urn, properties = noProperties, timeout, preview }: Decoded<typeof create.request>,
): Promise<Encodable<typeof create.response>> {
  const { provider, run } = context
  const type = resourceType(context, urn)
  const { kind, attributes } = type
  const config = receivedValues(type, properties)
  const request = { kind, prior: null, proposed: config, config }
  const { planned } = provider.settle(request)
  const hide = hider(attributes, properties)
  if (preview) {
    const { diagnostics } = await provider.plan(inPlace(context, urn, request))
    await judge(context, attributes, urn, diagnostics, hide)
  }
  const made = preview
    ? { state: planned, diagnostics: [] }
    : await provider.apply({ kind, prior: null, planned, config, ...timeLimit(timeout) })
  await judge(context, attributes, urn, made.diagnostics, hide)
  const state = made.state ?? config
  return {
    id: typeof state.id === 'string' ? state.id : '',
    properties: withVersion(type, sentProperties(attributes, state, properties.secrets)),
    refreshBeforeUpdate: run.refreshBeforeUpdate,
  }
}

/** A replacement is judged with what it replaces gone; under the same identity the core knows that by itself. */
function inPlace({ provider, run }: Context, urn: string, request: PlanRequest): PlanRequest {
  const old = run.replaced.get(urn)
  if (!old) return request
  return provider.settle({ ...request, prior: old }).planned?.id === old.id ? request : { ...request, prior: old }
}
