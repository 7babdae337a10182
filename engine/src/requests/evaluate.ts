import {
  addressText,
  childrenOf,
  diffDocumentsInPieces,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  removeObject,
  tableAddress,
} from '@svc/schema'
import {
  type AtomicMember,
  type ChangedBy,
  checkEndState,
  checkNoNew,
  checkNone,
  checkObject,
  type Draft,
  follow,
  followRemotes,
  isNotServed,
  rereadChangedTables,
  rereadTables,
  withCurrentModel,
  withCurrentModelInStretches,
  yielding,
} from '../changes/index.ts'
import type { Path } from '../errors.ts'
import { ApiError } from '../errors.ts'
import { Stretches } from '../long-work.ts'
import { type Applied, isWithin, type PreparedOperation, success, type Warning } from '../metadata/index.ts'
import { newQueryWarnings, unfilteredPermissions } from '../model/index.ts'
import type { RemoteReader } from '../remote-schemas/index.ts'
import type { Sources } from '../sources/index.ts'
import { type ApprovedDraft, asDrafted } from './as-drafted.ts'
import {
  type BulkCommand,
  type Command,
  type Condition,
  onlyReads,
  type ReadCommand,
  type RowCommand,
} from './command.ts'
import { operationContext } from './operation-context.ts'
import { type Outcome, withWarnings } from './outcome.ts'
import type { CheckStep } from './owned-objects.ts'
import { refuseUnservable } from './refuse-unservable.ts'
import { type ChangedAfter, unlessChanged } from './unless-changed.ts'

/** The services that evaluation needs. */
export interface CommandContext {
  readonly sources: Sources
  readonly remoteSchemas: RemoteReader
  /** An error inside an answer (bulk_keep_going, dry runs). `document`: as it was before what was refused. */
  bodyOf(error: ApiError, document: MetadataDocument): Json
  read(command: ReadCommand, draft: Draft): Promise<Json>
  rows(command: RowCommand, draft: Draft): Promise<Outcome>
  reload(command: Command & { readonly kind: 'reload' }, draft: Draft): Promise<Outcome>
  changedAfter: ChangedAfter
  /** A member of a bulk was refused, and the rest go on. `path`: of the member. */
  wentOnAfter(error: ApiError, path: Path): void
  /** Null: there is nothing to check. */
  readonly checkStep: CheckStep | null
  /** A draft by its hash; null: unknown or expired. */
  approved(hash: string): Promise<ApprovedDraft | null>
}

/**
 * Runs a command on a draft (reference/metadata-requests#consistency, reference/metadata-requests#bulks). Throws the
 * ApiError it is refused with; the draft that was passed is unchanged.
 */
export async function evaluate(draft: Draft, command: Command, around: CommandContext): Promise<Outcome> {
  switch (command.kind) {
    case 'operation': {
      const outcome = await evaluateOperation(draft, command.operation, command.path, around)
      const checked = withStepChecked(draft, outcome, around, () => command.path)
      return held(command.condition, draft, checked, around)
    }
    case 'bulk':
      return held(command.condition, draft, await evaluateBulk(draft, command, around), around)
    case 'read':
      return { draft, answer: await around.read(command, draft), touched: [] }
    case 'reload':
      return around.reload(command, draft)
    case 'run-sql':
    case 'rows':
      return around.rows(command, draft)
  }
}

/** Throws where the client may not make this step; its answer warns of what other clients own. */
function withStepChecked(
  before: Draft,
  outcome: Outcome,
  { checkStep }: CommandContext,
  pathOf: (at: ObjectAddress) => Path,
): Outcome {
  const warnings = checkStep?.(before.document, outcome.draft.document, pathOf) ?? []
  return warnings.length === 0 ? outcome : { ...outcome, answer: withWarnings(outcome.answer, warnings) }
}

/** The outcome, where it is as its conditions say. Throws conflict, not-exists, bad-request. */
async function held(condition: Condition | null, before: Draft, outcome: Outcome, around: CommandContext) {
  return asDrafted(condition, before, await unlessChanged(condition, before, outcome, around), around)
}

function evaluateBulk(draft: Draft, bulk: BulkCommand, around: CommandContext): Promise<Outcome> {
  switch (bulk.mode) {
    case 'plain':
      return evaluateInOrder(draft, bulk, around, false)
    case 'keep-going':
      return evaluateInOrder(draft, bulk, around, true)
    case 'atomic':
      return evaluateAtomic(draft, bulk, around)
    case 'concurrent':
      return evaluateAtOnce(draft, bulk, around)
  }
}

/** concurrent_bulk: members that only read. */
async function evaluateAtOnce(draft: Draft, { members }: BulkCommand, around: CommandContext): Promise<Outcome> {
  const answers = members.map(async (member) => {
    try {
      return (await evaluate(draft, member, around)).answer
    } catch (error) {
      throw isRefusedWrite(error) ? onlyReads(member.path) : error
    }
  })
  return { draft, answer: await Promise.all(answers), touched: [] }
}

/** The database refused to write in a transaction that may only read. */
const isRefusedWrite = (error: unknown): boolean =>
  error instanceof ApiError &&
  isRecord(error.internal) &&
  isRecord(error.internal.error) &&
  error.internal.error.status_code === '25006'

async function evaluateInOrder(
  start: Draft,
  bulk: BulkCommand,
  around: CommandContext,
  keepsGoing: boolean,
): Promise<Outcome> {
  let draft = await rereadAhead(start, bulk, around)
  const answers: Json[] = []
  const touched: ChangedBy[] = []
  const yieldRegularly = yielding()
  for (const member of bulk.members) {
    await yieldRegularly()
    try {
      const outcome = await evaluate(draft, member, around)
      draft = outcome.draft
      answers.push(outcome.answer)
      touched.push(...outcome.touched)
    } catch (error) {
      if (!keepsGoing || !(error instanceof ApiError)) throw error
      around.wentOnAfter(error, member.path)
      answers.push(around.bodyOf(error, draft.document))
    }
  }
  return { draft, answer: answers, touched }
}

async function evaluateOperation(
  draft: Draft,
  operation: PreparedOperation,
  path: Path,
  around: CommandContext,
): Promise<Outcome> {
  const fresh = await rereadFor(draft, [operation], around)
  const applied = await applyTo(operation, fresh, false)
  const after = await moveTo(fresh, applied.document, around, replaces(operation))
  const touched = touchedBy(applied, operation)
  const { wording } = operation
  if (operation.check === 'each' && wording) {
    const { draft: kept, warnings } = await takeBackFailed(fresh, after, applied, operation, around)
    if (warnings.length > 0 && !wording.allowWarnings)
      throw new ApiError('metadata-warnings', path, 'failed due to metadata warnings', { internal: warnings })
    return { draft: kept, answer: operation.respond(() => [], warnings), touched }
  }
  checkConsistency(operation, fresh, after, applied.touched, path)
  if (!replaces(operation)) refuseUnservable(fresh.document, applied.document, applied.touched, path)
  const warnings = [
    ...(applied.warnings ?? []),
    ...queryWarnings(fresh, after),
    ...permissionWarnings(after, applied.touched),
  ]
  return {
    draft: after,
    answer: applied.answer ?? operation.respond(() => [...after.model.inconsistencies.values()], warnings),
    touched,
  }
}

const queryWarnings = (before: Draft, after: Draft): readonly Warning[] =>
  newQueryWarnings(before.model, after.model).map((warning) => ({
    code: 'invalid-query-argument',
    type: 'query_collections',
    ...warning,
  }))

const permissionWarnings = ({ model }: Draft, touched: readonly ObjectAddress[]): readonly Warning[] =>
  unfilteredPermissions(model, touched).map((warning) => ({
    code: 'partition-filter-missing',
    type: 'select_permission',
    ...warning,
  }))

function applyTo(operation: PreparedOperation, draft: Draft, checksEndState: boolean): Applied | Promise<Applied> {
  const context = operationContext(draft, checksEndState)
  if (!operation.applyInPieces) return operation.apply(draft.document, context)
  return new Stretches().run(operation.applyInPieces(draft.document, context))
}

/** What an operation changed, with the log of an action that it drops. */
const touchedBy = ({ touched, clearsActionLog }: Applied, { type }: PreparedOperation): readonly ChangedBy[] =>
  touched.map((address) => ({ address, operation: type, ...(clearsActionLog && { clearsActionLog }) }))

function checkConsistency(
  { check }: PreparedOperation,
  before: Draft,
  after: Draft,
  touched: readonly ObjectAddress[],
  path: Path,
): void {
  switch (check) {
    case 'object':
      checkObject(before.model, after.model, touched, path)
      return
    case 'no-new':
    case 'each':
      checkNoNew(before.model, after.model, path)
      return
    case 'none':
      checkNone(after.model, path)
      return
    case 'none-served':
      checkNone(after.model, path, (fault) => isNotServed(fault, after, after.model.faults))
      return
    case 'unchecked':
      return
  }
}

/**
 * track_tables: what the database lacks is taken back and reported; all of them are an error
 * (reference/metadata-operations#tables).
 */
async function takeBackFailed(
  before: Draft,
  after: Draft,
  applied: Applied,
  operation: PreparedOperation,
  around: CommandContext,
): Promise<{ readonly draft: Draft; readonly warnings: readonly Warning[] }> {
  const { wording, path } = operation
  const failed = applied.touched.filter((address) => after.model.inconsistencies.has(addressText(address)))
  const reasons = failed.map((address) => wording?.warning(address, reasonOf(after, address)))
  const warnings = [...(applied.warnings ?? []), ...reasons.filter((warning) => warning !== undefined)]
  if (failed.length > 0 && failed.length === applied.touched.length)
    throw new ApiError('invalid-configuration', path, wording?.allFailed ?? '', { internal: warnings })
  const document = failed.reduce((rest, address) => removeObject(rest, address), after.document)
  const kept = await moveTo(after, document, around)
  checkNoNew(before.model, kept.model, path)
  return { draft: kept, warnings }
}

const reasonOf = (draft: Draft, address: ObjectAddress): string =>
  draft.model.inconsistencies.get(addressText(address))?.reason ?? ''

/**
 * All members are applied before anything is checked: only their own errors and the end state count
 * (docs/metadata-api.md#bulks).
 */
async function evaluateAtomic(start: Draft, bulk: BulkCommand, around: CommandContext): Promise<Outcome> {
  const operations = operationsOf(bulk)
  const before = await rereadFor(start, operations, around)
  let draft = before
  const members: AtomicMember[] = []
  const touched: ChangedBy[] = []
  const yieldRegularly = yielding()
  for (const operation of operations) {
    await yieldRegularly()
    const applied = await applyTo(operation, draft, true)
    if (applied.warnings?.length && operation.wording?.allowWarnings === false)
      throw new ApiError('metadata-warnings', operation.path, 'failed due to metadata warnings', {
        internal: applied.warnings,
      })
    members.push({ path: operation.path, touched: applied.touched })
    touched.push(...touchedBy(applied, operation))
    draft = { ...draft, document: applied.document }
  }
  const after = await moveTo(before, draft.document, around, operations.some(replaces))
  // a replace that allows inconsistent metadata has said that its end state may be so
  if (operations.every(({ check }) => check !== 'unchecked'))
    checkEndState(before.model, after.model, members, bulk.path)
  for (const [i, member] of members.entries()) {
    const operation = operations[i]
    if (operation && !replaces(operation))
      refuseUnservable(before.document, after.document, member.touched, operation.path)
  }
  const pathOf = (at: ObjectAddress) =>
    members.find((member) => member.touched.some((one) => isWithin(at, one) || isWithin(one, at)))?.path ?? bulk.path
  return withStepChecked(start, { draft: after, answer: success, touched }, around, pathOf)
}

/** The operations of a bulk in order, those of bulks inside it included. */
function operationsOf(bulk: BulkCommand): readonly PreparedOperation[] {
  return bulk.members.flatMap((member) => {
    if (member.kind === 'operation') return [member.operation]
    return member.kind === 'bulk' ? operationsOf(member) : []
  })
}

/** Reads what all members of a command are about to speak of with one statement for each database, not one each. */
export function rereadAhead(draft: Draft, command: Command, around: CommandContext): Promise<Draft> {
  if (command.kind === 'operation') return rereadFor(draft, [command.operation], around)
  return command.kind === 'bulk' ? rereadFor(draft, operationsOf(command), around) : Promise.resolve(draft)
}

/** Reads the tables that operations are about to speak of, unless this request has read them before. */
async function rereadFor(
  draft: Draft,
  operations: readonly PreparedOperation[],
  around: CommandContext,
): Promise<Draft> {
  const keyOf = (source: string, table: JsonObject) => addressText(tableAddress(source, table))
  const reread = operations
    .flatMap((operation) => operation.rereads)
    .map(({ source, tables }) => ({
      source,
      tables: tables.filter((table) => !draft.reread.has(keyOf(source, table))),
    }))
    .filter(({ tables }) => tables.length > 0)
  if (reread.length === 0) return draft
  const keys = reread.flatMap(({ source, tables }) => tables.map((table) => keyOf(source, table)))
  const states = await rereadTables(around.sources, draft.states, reread)
  return withCurrentModel({ ...draft, states, reread: new Set([...draft.reread, ...keys]) })
}

/** Whether it names the whole document rather than tables that could be read before. */
const replaces = ({ check, isWhole }: PreparedOperation) =>
  isWhole || check === 'none' || check === 'none-served' || check === 'unchecked'

/**
 * Returns the draft with another document; sources are connected when the document names new ones. `rereads`: tables of
 * which the document has changed are read again.
 */
export async function moveTo(
  draft: Draft,
  document: MetadataDocument,
  { sources, remoteSchemas }: Pick<CommandContext, 'sources' | 'remoteSchemas'>,
  rereads = false,
): Promise<Draft> {
  const isSame = (type: 'source' | 'remote_schema') => childrenOf(draft.document, type) === childrenOf(document, type)
  const remotes = isSame('remote_schema') ? draft.remotes : await followRemotes(remoteSchemas, draft.remotes, document)
  if (isSame('source')) return withCurrentModelInStretches({ ...draft, document, remotes })
  const stretches = new Stretches()
  const differences = await stretches.run(diffDocumentsInPieces(draft.document, document))
  const followed = await follow(sources, draft.states, draft.document, document)
  const states = rereads
    ? await rereadChangedTables(sources, followed, draft.states, draft.document, document, stretches)
    : followed
  return withCurrentModelInStretches({ ...draft, document, states, remotes, differences }, stretches)
}
