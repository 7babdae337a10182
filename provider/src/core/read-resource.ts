import { keyedObject, objectName } from '@svc/schema'
import { addressOf, identityOf, type ResourceKind, type Values } from '../resources/index.ts'
import type { InconsistentObject } from './apply-plan.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import { findDeclared } from './document-objects.ts'
import type { EngineSession } from './engine-session.ts'
import { identityInputs } from './fill-defaults.ts'
import { hideSecrets } from './hide-secrets.ts'
import { objectTitle } from './object-title.ts'
import type { Diagnostic, StateResult } from './provider.ts'
import { reconcile } from './reconcile.ts'

/** Returns the state as it is in the engine now. Throws ClientError. */
export async function readResource(session: EngineSession, kind: ResourceKind, state: Values): Promise<StateResult> {
  const identified = withIdentityDefaults(kind, state)
  if (!identityOf(kind, identified))
    return { state, diagnostics: [errorOf(`the state of a ${kind.kind} has no identity`)] }
  const { document } = await session.snapshot.read()
  const address = addressOf(kind, identified, session.spelling)
  const live = findDeclared(document, kind, identified, session.spelling)
  if (!live) return { state: null, diagnostics: [] }
  const now = reconcile(kind, identified, live.value, session.spelling)
  const { name } = objectName(keyedObject(document, address))
  const broken = (await session.inconsistent()).find((one) => one.name === name)
  const title = broken ? objectTitle(document, address, session.tool.typeName) : ''
  return { state: now, diagnostics: broken ? [warnOf(kind, now, title, broken)] : [] }
}

/** It is there and as declared, but not served. */
function warnOf(kind: ResourceKind, values: Values, title: string, { reason }: InconsistentObject): Diagnostic {
  const hide = hideSecrets(kind.attributes, values)
  return warningOf(
    `${title} is inconsistent`,
    `${hide(reason)}\nThe engine keeps it, but serves nothing of it until the cause is gone.`,
  )
}

/** Returns the values with the defaults of those that identify. */
export const withIdentityDefaults = (kind: ResourceKind, state: Values): Values => ({
  ...state,
  ...identityInputs(kind, state),
})
