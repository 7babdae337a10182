import { randomUUID } from 'node:crypto'
import { ClientError } from '../client/index.ts'
import { type RecordKind, storedValue, type Values } from '../resources/index.ts'
import { warningOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import { explainRefusal } from './explain-refusal.ts'
import { hideSecrets } from './hide-secrets.ts'
import { equalMeaning, equalValues } from './normal-form.ts'
import type { ApplyRequest, StateResult } from './provider.ts'
import { recordId, sendAgain } from './record-values.ts'
import { withWriteOnly } from './wanted-object.ts'

/**
 * Makes a record under an id of its own choice, so that an answer that is lost does not make a second one; what it takes
 * the place of goes afterwards. Throws InvalidValue, ClientError.
 */
export async function applyRecord(
  session: EngineSession,
  kind: RecordKind,
  { prior, planned, config, former, anew }: ApplyRequest,
): Promise<StateResult> {
  const before = prior ?? former ?? null
  const old = recordId(before)
  if (planned === null) {
    if (old !== null && !anew) await sendAgain(session.writer, kind.store.delete(old))
    return { state: null, diagnostics: [] }
  }
  const values = isResent(kind, prior, planned) ? withWriteOnly(kind, planned, config) : planned
  // what says the same in other words is not sent again
  if (prior && old !== null && isSame(session, kind, prior, values))
    return { state: { ...planned, id: old }, diagnostics: [] }
  const stored = (given: Values) => storedValue(kind, given, session.spelling)
  const update = old === null || !before || anew ? null : kind.store.update?.(old, stored(values), stored(before))
  if (update && old !== null) {
    await sendAgain(session.writer, update)
    return { state: { ...planned, id: old }, diagnostics: [] }
  }
  const created = await create(session, kind, values)
  if (typeof created !== 'string') return { state: prior, diagnostics: [created] }
  const state = { ...planned, id: created }
  if (old === null || old === created) return { state, diagnostics: [] }
  try {
    await sendAgain(session.writer, kind.store.delete(old))
    return { state, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    const detail = `The new one has the id ${created}. Delete ${old} by hand: ${error.message}`
    return { state, diagnostics: [warningOf(`${kind.kind} ${old} is still there`, detail)] }
  }
}

/** What is written only goes with a new record, and into one that is changed when its version says so. */
const isResent = ({ store, fields }: RecordKind, prior: Values | null, planned: Values): boolean =>
  prior === null ||
  !store.update ||
  fields.some(
    ({ name, attribute }) => attribute.writeOnly && !equalValues(prior[`${name}_version`], planned[`${name}_version`]),
  )

const isSame = ({ spelling }: EngineSession, kind: RecordKind, prior: Values, planned: Values): boolean =>
  equalMeaning(kind, storedValue(kind, prior, spelling), storedValue(kind, planned, spelling))

/** The id of what was made, or why it was refused. */
async function create(session: EngineSession, kind: RecordKind, values: Values) {
  const id = randomUUID()
  try {
    const value = storedValue(kind, values, session.spelling)
    const { body } = await sendAgain(session.writer, kind.store.create(id, value))
    return kind.store.createdId(body, value) ?? id
  } catch (error) {
    if (!(error instanceof ClientError) || !error.body) throw error
    const hide = hideSecrets(kind.attributes, values)
    const refusal = explainRefusal(kind, values, error.body)
    return { ...refusal, summary: hide(refusal.summary), detail: hide(refusal.detail) }
  }
}
