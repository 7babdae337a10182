import { ClientError, type EngineErrorBody, needsOf, type Written } from '../client/index.ts'
import { kindOfType, type Reference, type ResourceKind, type Values } from '../resources/index.ts'
import { pathText } from './attribute-path.ts'
import type { EngineSession } from './engine-session.ts'
import { explainClientError } from './explain-client-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import { hideSecrets } from './hide-secrets.ts'
import type { ApplyRequest, Diagnostic, StateResult } from './provider.ts'
import { isNeeded, isThere, type NeededTable, referencesOf, tablesNeeded } from './references.ts'
import { createWrite, deleteWrite, updateWrite } from './resource-write.ts'
import { withId } from './settle.ts'
import { type WantedObject, wantedObject, withWriteOnly } from './wanted-object.ts'

/**
 * Makes, changes or removes one object. What is there after a failure is what was there before. Throws InvalidValue for
 * values that no object could have.
 */
export async function applyResource(
  session: EngineSession,
  kind: ResourceKind,
  { prior, planned, config, timeoutMilliseconds }: ApplyRequest,
): Promise<StateResult> {
  const values = planned && withWriteOnly(kind, planned, config)
  const subject = wantedObject(kind, values ?? prior ?? {}, session.spelling)
  if (values) subject.valueOver({}) // what is invalid must not leave with its neighbours
  const written = await session.writes.submit(writeOf(subject, prior, values, session), timeoutMilliseconds)
  if (written.kind === 'done') return { state: planned && withId(kind, planned), diagnostics: [] }
  const hide = hideSecrets(kind.attributes, prior, values)
  const told = await explain(session, subject, written)
  const diagnostic = values === null && written.kind === 'failed' ? withReplaceHint(session, kind, told) : told
  return {
    state: prior,
    diagnostics: [{ ...diagnostic, summary: hide(diagnostic.summary), detail: hide(diagnostic.detail) }],
  }
}

function writeOf(subject: WantedObject, prior: Values | null, values: Values | null, { rules }: EngineSession) {
  if (values === null) return deleteWrite(subject)
  return prior === null ? createWrite(subject, rules) : updateWrite(subject, prior, rules)
}

/** What goes because something else takes its place is often still used by what is to use that one. */
function withReplaceHint({ tool }: EngineSession, { standsBeside }: ResourceKind, told: Diagnostic): Diagnostic {
  if (!standsBeside || tool.replaceLater === undefined) return told
  const hint = `If it is being replaced, let what uses it change over first: ${tool.replaceLater}`
  return { ...told, detail: [told.detail, hint].filter(Boolean).join('\n') }
}

async function explain(
  session: EngineSession,
  subject: WantedObject,
  written: Exclude<Written<Diagnostic>, { kind: 'done' }>,
): Promise<Diagnostic> {
  switch (written.kind) {
    case 'refused':
      return written.refusal
    case 'broken': {
      const told = explainClientError(written.error, session.reader.endpoint)
      const detail = [told.detail, 'Whether it was stored nevertheless, the next plan tells.'].filter(Boolean).join(' ')
      return written.error.problem === 'unreachable' ? { ...told, detail } : told
    }
    case 'failed': {
      const missing = await missingReferences(session, subject, written.error)
      const untracked = missing.some(({ to }) => to === 'table') ? [] : tablesNeeded(needsOf(written.error))
      const hints = [
        ...missing.map((reference) => hintFor(reference, session)),
        ...untracked.map((table) => hintAfter(table, session)),
      ]
      const [first] = missing
      const told = explainRefusal(subject.kind, subject.values, written.error, undefined, hints)
      return first && told.path.length === 0 ? { ...told, path: [...first.attribute] } : told
    }
  }
}

/** References of a refused object that lead nowhere even now. */
async function missingReferences(
  { snapshot, spelling }: EngineSession,
  { kind, values, valueOver }: WantedObject,
  error: EngineErrorBody,
): Promise<readonly Reference[]> {
  try {
    const { document } = await snapshot.read()
    const needs = needsOf(error)
    return referencesOf(kind, values, valueOver({}), spelling).filter(
      (reference) => !isThere(document, reference) || isNeeded(reference, needs),
    )
  } catch (cause) {
    if (cause instanceof ClientError) return []
    throw cause
  }
}

function hintFor(reference: Reference, { tool }: EngineSession): string {
  const at = pathText(reference.attribute)
  switch (reference.to) {
    case 'source':
      return `If this configuration makes the source, refer to it: ${at} = ${tool.reference('Source', 'name')}`
    case 'table':
      return `If this configuration tracks the table, refer to it: ${at} = ${tool.reference('Table', 'table')}`
    case 'in-source': {
      const kind = kindOfType(reference.type)
      const [, head = ''] = kind?.identity.map((path) => path.split('.')[0] ?? '') ?? []
      return `If this configuration makes the ${reference.type.replace('_', ' ')}, refer to it: ${at} = ${tool.reference(kind?.kind ?? '', head)}`
    }
    case 'top-level': {
      const kind = kindOfType(reference.type)
      return `If this configuration makes the ${reference.type.replace('_', ' ')}, refer to it: ${at} = ${tool.reference(kind?.kind ?? '', kind?.identity[0] ?? '')}`
    }
    case 'computed-field':
      return `If this configuration makes the computed field "${String(reference.name)}", refer to its name: ${tool.reference('ComputedField', 'name')}`
    case 'select-permission':
      return `If this configuration makes the role's select permission, refer to its role: ${at} = ${tool.reference('SelectPermission', 'role')}`
    case 'role':
      return `If this configuration makes the role "${String(reference.role)}", refer to it: ${tool.reference('SelectPermission', 'role')} or ${tool.reference('InheritedRole', 'role_name')}`
    case 'relationship': {
      const outputs = ['ObjectRelationship', 'ArrayRelationship'].map((kind) => tool.reference(kind, 'name'))
      return `If this configuration makes the relationship "${reference.name}", refer to its name: ${outputs.join(' or ')}`
    }
  }
}

/** What no attribute names can only be waited for. */
const hintAfter = ({ name }: NeededTable, { tool }: EngineSession): string =>
  `If this configuration tracks the table ${name}, let this come after it (depends_on ${tool.reference('Table', 'table')}).`
