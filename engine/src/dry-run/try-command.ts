import type { Json, ObjectAddress } from '@svc/schema'
import { type Draft, yielding } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { TablesOfSource } from '../metadata/index.ts'
import {
  type BulkCommand,
  type Command,
  type CommandContext,
  evaluate,
  type Outcome,
  objectNameAt,
  rereadAhead,
} from '../requests/index.ts'
import { plannedCommand } from './planned-command.ts'
import { needsOf, ok, pending, refused, tablesWanted, type Verdict } from './verdict.ts'
import { type Waiting, waitingFor } from './waiting.ts'

export interface Tried {
  readonly draft: Draft
  readonly verdicts: readonly Verdict[]
  /** Members that wait for other members. */
  readonly waiting: readonly Waiting[]
}

/** How one member is tried: as it would run now, or as a member of a plan. */
type Try = (draft: Draft, command: Command) => Promise<OneTried>
interface OneTried {
  readonly draft: Draft
  readonly verdict: Verdict
  readonly error: ApiError | null
  /** What a pending member waits for. */
  readonly needs: readonly ObjectAddress[]
}

/** As it would run now: the verdicts are the answers it would get, and a refusal leaves the draft as it was. */
export async function tryNow(start: Draft, command: Command, around: CommandContext): Promise<Tried> {
  const once: Try = (draft, member) => tryOnce(draft, member, around)
  const fresh = await rereadAhead(start, command, around)
  const tried = await tryMembers(fresh, command, once)
  const undone = command.kind === 'bulk' && command.mode !== 'keep-going' && tried.verdicts.some(isRefused)
  return undone ? { ...tried, draft: start } : tried
}

/** As members of a plan, each for itself: a refused one does not affect the others (docs/dry-run.md). */
export async function tryInPlan(start: Draft, command: Command, around: CommandContext): Promise<Tried> {
  const once: Try = (draft, member) => tryPlanned(draft, member, around)
  const fresh = await rereadAhead(start, plannedCommand(command), around)
  return tryMembers(fresh, command, once)
}

const isRefused = ({ verdict }: Verdict) => verdict === 'error'

async function tryMembers(start: Draft, command: Command, once: Try): Promise<Tried> {
  if (command.kind === 'bulk' && command.mode === 'atomic') return tryAtomic(start, command, once)
  const members = command.kind === 'bulk' ? command.members : [command]
  const endsAtError = command.kind === 'bulk' && command.mode === 'plain'
  const verdicts: Verdict[] = []
  const waiting: Waiting[] = []
  const yieldRegularly = yielding()
  let draft = start
  for (const member of members) {
    await yieldRegularly()
    const tried = await once(draft, member)
    draft = tried.draft
    verdicts.push(tried.verdict)
    if (tried.verdict.verdict === 'pending') waiting.push(waitingFor(member, tried.needs, draft))
    if (endsAtError && tried.verdict.verdict === 'error') break
  }
  return { draft, verdicts, waiting }
}

/**
 * One verdict a member: those before the one at fault are fine, so are all others when only the end state is not. Warnings of
 * the end state are in the last one.
 */
async function tryAtomic(start: Draft, bulk: BulkCommand, once: Try): Promise<Tried> {
  const { draft, verdict, error, needs } = await once(start, bulk)
  const fine = bulk.members.map((): Verdict => ok({ message: 'success' }))
  if (!error) return { draft, verdicts: fine.map((one, i) => (i === fine.length - 1 ? verdict : one)), waiting: [] }
  const place = memberOf(error.at ?? error.path, bulk.path) ?? memberOf(error.path, bulk.path)
  const index = place ?? Math.max(0, bulk.members.length - 1)
  const own = memberOf(error.path, bulk.path) !== null
  const verdicts = [...fine.slice(0, index), verdict, ...(own ? [] : fine.slice(index + 1))]
  const waiting = verdict.verdict === 'pending' ? [waitingFor(bulk, needs, draft)] : []
  return { draft, verdicts, waiting }
}

/** Which member of a bulk a path leads into. */
function memberOf(path: Path, bulk: Path): number | null {
  const key = path.keys[bulk.keys.length]
  const below = bulk.keys.every((step, i) => path.keys[i] === step)
  return below && typeof key === 'number' ? key : null
}

async function tryOnce(draft: Draft, command: Command, around: CommandContext): Promise<OneTried> {
  const outcome = await attempt(draft, command, around)
  if (outcome instanceof ApiError)
    return { draft, verdict: refused(outcome, around.bodyOf(outcome, draft.document)), error: outcome, needs: [] }
  return { draft: outcome.draft, verdict: ok(outcome.answer), error: null, needs: [] }
}

/** Tables that exist and are wanted are taken for tracked, one round after the other: a filter may reach far. */
async function tryPlanned(draft: Draft, command: Command, around: CommandContext): Promise<OneTried> {
  let needed: readonly TablesOfSource[] = []
  for (;;) {
    const outcome = await attempt(draft, plannedCommand(command, needed), around)
    if (!(outcome instanceof ApiError))
      return { draft: outcome.draft, verdict: ok(outcome.answer), error: null, needs: [] }
    const more = tablesWanted(outcome)
      .map((at): TablesOfSource => {
        const { source, table } = objectNameAt(draft.document, at).key as { source: string; table: never }
        return { source, tables: [table] }
      })
      .filter((one) => !needed.some((known) => sameTables(known, one)))
    if (more.length > 0) {
      needed = [...needed, ...more]
      continue
    }
    const needs = needsOf(outcome, draft.document)
    const body = around.bodyOf(outcome, draft.document)
    const verdict = needs.length > 0 ? pending(outcome, needs, draft.document, body) : refused(outcome, body)
    return { draft, verdict, error: outcome, needs }
  }
}

const sameTables = (a: TablesOfSource, b: TablesOfSource) => JSON.stringify(a) === JSON.stringify(b)

async function attempt(draft: Draft, command: Command, around: CommandContext): Promise<Outcome | ApiError> {
  try {
    return await evaluate(draft, command, around)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

export const answersOf = (verdicts: readonly Verdict[]): Json => verdicts.map((verdict) => ({ ...verdict })) as Json
