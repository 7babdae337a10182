import { findObject } from '@svc/schema'
import { addressOf, identityOf, type ResourceKind, type Values } from '../resources/index.ts'
import { errorOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import { fillDefaults } from './fill-defaults.ts'
import type { StateResult } from './provider.ts'
import { reconcile } from './reconcile.ts'

/** The state as it is in the engine now. Throws ClientError. */
export async function readResource(session: EngineSession, kind: ResourceKind, state: Values): Promise<StateResult> {
  const identified = withIdentityDefaults(kind, state)
  if (!identityOf(kind, identified))
    return { state, diagnostics: [errorOf(`the state of a ${kind.kind} has no identity`)] }
  const { document } = await session.snapshot.read()
  const live = findObject(document, addressOf(kind, identified, session.spelling))
  return { state: live ? reconcile(kind, identified, live.value, session.spelling) : null, diagnostics: [] }
}

function withIdentityDefaults(kind: ResourceKind, state: Values): Values {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  const filled = fillDefaults(kind.attributes, state)
  return { ...state, ...Object.fromEntries(Object.entries(filled).filter(([name]) => identifying.has(name))) }
}
