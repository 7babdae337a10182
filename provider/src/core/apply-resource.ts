import { addressText } from '@svc/schema'
import { ClientError, type EngineErrorBody, needsOf, summaryOf, type Write, type Written } from '../client/index.ts'
import { FORCE_DESTROY, kindsOfType, type Reference, type ResourceKind, type Values } from '../resources/index.ts'
import { pathText } from './attribute-path.ts'
import { findObject } from './document-objects.ts'
import type { EngineSession } from './engine-session.ts'
import { explainClientError } from './explain-client-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import { hideSecrets } from './hide-secrets.ts'
import { causesReload } from './plan-resource.ts'
import { withId } from './plan-values.ts'
import type { ApplyRequest, Diagnostic, StateResult } from './provider.ts'
import { isNeeded, isThere, type NeededTable, referencesOf, tablesNeeded } from './references.ts'
import { reloadOutside } from './reload-outside.ts'
import { createWrite, deleteWrite, moveWrite, updateWrite } from './resource-write.ts'
import { type WantedObject, wantedObject, withWriteOnly } from './wanted-object.ts'
import { staysForOther } from './write-refusals.ts'

/**
 * Makes, changes or removes one object. What is there after a failure is what was there before. Throws InvalidValue for
 * values that no object could have.
 */
export async function applyResource(
  session: EngineSession,
  kind: ResourceKind,
  request: ApplyRequest,
): Promise<StateResult> {
  const { prior, planned, config, anew, timeoutMilliseconds } = request
  const values = planned && withWriteOnly(kind, planned, config)
  const subject = wantedObject(kind, values ?? prior ?? {}, session.tool)
  if (values) subject.valueOver({}) // what is invalid must not leave with its neighbours
  // what is made again under its identity is changed when that is requested
  if (!values && anew) return { state: null, diagnostics: [] }
  if (!values && (await isOthers(session, subject, request)))
    return { state: null, diagnostics: [staysForOther(subject, session.tool.renamed)] }
  const changed = await write(session, subject, request, values, timeoutMilliseconds)
  const reloads = prior !== null && values !== null && causesReload(kind, prior, values)
  const { written, by } =
    reloads && changed.written.kind === 'done' ? { written: await reloadOutside(session, subject), by: '' } : changed
  if (written.kind === 'done') {
    const { catalogId, resourceVersion } = written.at
    return {
      state: planned && withId(kind, planned),
      ...(catalogId !== null && { made: { catalog: catalogId, version: resourceVersion } }),
      diagnostics: [],
    }
  }
  const hide = hideSecrets(kind.attributes, prior, values)
  const diagnostic = await explain(session, subject, written, values === null)
  const isWarning = diagnostic.severity === 'warning'
  const isChanged = reloads && changed.written.kind === 'done'
  return {
    state: isWarning ? planned : isChanged && planned ? withoutLook(kind, planned, prior) : prior,
    diagnostics: [{ ...diagnostic, summary: hide(diagnostic.summary), detail: hide(diagnostic.detail + by) }],
  }
}

/** All has been done but for the reload of another server, which the next plan is to request again. */
const withoutLook = ({ outside }: ResourceKind, planned: Values, prior: Values): Values =>
  outside ? { ...planned, [outside.attribute]: prior[outside.attribute] ?? null } : planned

/** Whether another resource has made an object since its own has written it. */
async function isOthers(session: EngineSession, subject: WantedObject, { made }: ApplyRequest): Promise<boolean> {
  if (!made) return false
  const { document, catalogId } = await session.snapshot.read()
  if (catalogId !== made.catalog || !findObject(document, subject.address)) return false
  return session.isRemade(subject.address, made)
}

interface Outcome {
  readonly written: Written<Diagnostic>
  /** What to say in addition where it failed. */
  readonly by: string
}

async function write(
  session: EngineSession,
  subject: WantedObject,
  { prior, former, anew = false }: ApplyRequest,
  values: Values | null,
  limit: number | undefined,
): Promise<Outcome> {
  const { rules, memory, tool, writes, sourceKinds } = session
  const submit = async (one: Write<Diagnostic>): Promise<Outcome> => ({
    written: await writes.submit(one, limit),
    by: '',
  })
  if (values === null) {
    const force = prior?.[FORCE_DESTROY] === true
    return submit(deleteWrite(subject, { memory, force, tool }))
  }
  const from = prior ?? former ?? null
  const old = from && wantedObject(sourceKinds.variant(subject.kind, from), from, tool)
  if (!old) return submit(createWrite(subject, rules, memory, anew))
  if (addressText(old.address) === addressText(subject.address))
    return submit(prior ? updateWrite(subject, prior, rules, memory) : createWrite(subject, rules, memory, true))
  // most names can be changed by themselves; referring objects are searched for where the engine says that there are
  // some
  const moved = await writes.submit(moveWrite(old, subject, { rules, memory, names: false }), limit)
  if (moved.kind !== 'failed') return { written: moved, by: '' }
  const { written } = await submit(moveWrite(old, subject, { rules, memory, names: true }))
  if (written.kind !== 'failed' || prior || !subject.kind.createBeforeDelete) return { written, by: movedTogether }
  // the tool deletes the old one once everything has changed over
  return submit(createWrite(subject, rules, memory, false))
}

const movedTogether = '\nIt was to be moved together with what is in it and what names it; nothing was changed.'

async function explain(
  session: EngineSession,
  subject: WantedObject,
  written: Exclude<Written<Diagnostic>, { kind: 'done' }>,
  deletes: boolean,
): Promise<Diagnostic> {
  switch (written.kind) {
    case 'refused':
      return written.refusal
    case 'broken': {
      const explained = explainClientError(written.error, session.reader.endpoint)
      const detail = [explained.detail, 'Whether it was stored nevertheless, the next plan shows.']
        .filter(Boolean)
        .join(' ')
      return written.error.problem === 'unreachable' ? { ...explained, detail } : explained
    }
    case 'failed': {
      const missing = await missingReferences(session, subject, written.error)
      const untracked = missing.some(({ to }) => to === 'table') ? [] : tablesNeeded(needsOf(written.error))
      const hints = [
        ...missing.map((reference) => hintFor(reference, session)),
        ...untracked.map((table) => hintAfter(table, session)),
      ]
      const [first] = missing
      const explained = explainRefusal(subject.kind, subject.values, written.error, undefined, hints)
      // a tool has no line to show for what is declared no more
      if (deletes)
        return { ...explained, path: [], summary: `${subject.title()} is not deleted: ${summaryOf(written.error)}` }
      return first && explained.path.length === 0 ? { ...explained, path: [...first.attribute] } : explained
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
    case 'in-source':
    case 'top-level': {
      const [kind] = kindsOfType(reference.type)
      // in a source the first attribute of an identity is the source
      const own = kind?.identity[reference.to === 'in-source' ? 1 : 0]?.split('.')[0] ?? ''
      return `If this configuration makes the ${reference.type.replace('_', ' ')}, refer to it: ${at} = ${tool.reference(kind?.kind ?? '', own)}`
    }
    case 'custom-type': {
      const outputs = [tool.reference('CustomType', 'name'), `${tool.reference('CustomTypes', 'id')} (by depends_on)`]
      return `If this configuration makes the type "${reference.name}", refer to it: ${outputs.join(' or ')}`
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
