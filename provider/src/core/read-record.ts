import { type RecordKind, storedValue, type Values } from '../resources/index.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import type { StateResult } from './provider.ts'
import { isStub, reconcile } from './reconcile.ts'
import { findRecord, recordId } from './record-values.ts'

/**
 * Returns the state as the engine has it now. A record that no longer exists since it may have served its purpose
 * remains in the state: it is not made a second time. Throws ClientError, InvalidValue.
 */
export async function readRecord(session: EngineSession, kind: RecordKind, state: Values): Promise<StateResult> {
  const id = recordId(state)
  if (id === null) return { state, diagnostics: [errorOf(`the state of a ${kind.kind} has no id`)] }
  const found = await findRecord(session.reader, kind, id)
  if (found) {
    const warning = kind.store.warning?.(found) ?? null
    return {
      state: { ...reconcile(kind, state, found.value, session.spelling), id },
      diagnostics: warning === null ? [] : [warningOf(`${kind.kind} ${id} does not hold any more`, warning)],
    }
  }
  if (isStub(kind, state)) return { state: null, diagnostics: [] }
  if (!kind.store.isOver?.(storedValue(kind, state, session.spelling), Date.now()))
    return { state: null, diagnostics: [] }
  return {
    state,
    diagnostics: [
      warningOf(
        `${kind.kind} ${id} is not in the engine any more`,
        'Its time is past, so it may have been sent: it is not made again. Replace it to send another one.',
      ),
    ],
  }
}
