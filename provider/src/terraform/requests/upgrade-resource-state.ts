import type { KindDeclaration } from '../../core/index.ts'
import type { Encodable } from '../../protobuf/index.ts'
import type { Value } from '../../resources/index.ts'
import { toMessage } from '../diagnostics.ts'
import type { DiagnosticMessage, dynamicValue, upgradeResourceState } from '../protocol/provider-messages.ts'
import { TIMEOUTS, withoutTimeouts, withTimeouts } from '../timeouts.ts'
import { type Answer, type Context, resourceType, sent } from './context.ts'

/**
 * A stored state in today's shape. Terraform calls this at every refresh, so what is of today's version is returned as
 * it is.
 */
export const answerUpgradeResourceState: Answer<typeof upgradeResourceState> = async (context, request) => {
  const type = resourceType(context, request.typeName)
  const json = request.rawState?.json ?? Buffer.alloc(0)
  if (request.version === type.version) {
    const { id } = JSON.parse(json.toString('utf8'))
    if (typeof id === 'string') context.provider.saw(type.kind, id)
    return { upgradedState: { json } }
  }
  const { state, diagnostics } = upgradedState(context, type, request.version, json)
  return { diagnostics, ...(state && { upgradedState: state }) }
}

/** Stored JSON of `version`, which may be any up to today's. */
export function upgradedState(
  { provider }: Context,
  { kind, attributes }: KindDeclaration,
  version: number,
  json: Buffer,
): { readonly state: Encodable<typeof dynamicValue> | null; readonly diagnostics: readonly DiagnosticMessage[] } {
  const stored: Record<string, Value> = JSON.parse(json.toString('utf8'))
  const { state, diagnostics } = provider.upgrade(kind, version, withoutTimeouts(stored))
  return {
    state: state && sent(attributes, withTimeouts(state, stored[TIMEOUTS])),
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
