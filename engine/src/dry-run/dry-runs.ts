import type { Json, JsonObject } from '@svc/schema'
import type { Draft, ServedMetadata } from '../changes/index.ts'
import { makeDraft } from '../drafts/index.ts'
import { ApiError, Path } from '../errors.ts'
import { Stretches } from '../long-work.ts'
import { describePreview, withUsage } from '../preview/index.ts'
import {
  type AuthorizedRequest,
  type CommandContext,
  commandContext,
  noEffects,
  refuseStale,
  rereadAhead,
} from '../requests/index.ts'
import { declaredChanges, describeChanges } from './describe-changes.ts'
import { assumesTables } from './implicit-table.ts'
import { membersOf, type PlanFork } from './plan-fork.ts'
import { forkLimits, PlanForks } from './plan-forks.ts'
import { plannedCommand } from './planned-command.ts'
import { answersOf, type Tried, tryInPlan, tryNow } from './try-command.ts'
import { isConcerned, type Waiting } from './waiting.ts'

/** Tries requests on forks of the served state; nothing is stored (docs/dry-run.md). */
export class DryRuns {
  readonly #served: ServedMetadata
  readonly #forks = new PlanForks()

  constructor(served: ServedMetadata) {
    this.#served = served
  }

  /** The answer of a dry run. Throws conflict for a stale version, as the request itself would. */
  async run(asked: AuthorizedRequest): Promise<Json> {
    const { dryRun } = asked.request
    await this.#served.fresh()
    if (dryRun === null || dryRun === true || dryRun.plan === undefined) return this.#once(asked)
    const fork = this.#forks.take(dryRun.plan.toLowerCase())
    return fork.exclusively(() => this.#inPlan(asked, fork))
  }

  close(): void {
    this.#forks.close()
  }

  async #once(asked: AuthorizedRequest): Promise<Json> {
    const { command, resourceVersion } = asked.request
    const before = this.#served.draft()
    const head = this.#head()
    const tried = await tryNow(before, command, this.#around(asked))
    const refused = tried.verdicts.some(({ verdict }) => verdict === 'error')
    // an operation's own errors are reported before a stale version is (reference/metadata-requests#versions); a bulk
    // that goes on has none
    if (!refused || (command.kind === 'bulk' && command.mode === 'keep-going'))
      refuseStale(resourceVersion, this.#served)
    const all = { ...answer(head, null, before, tried), ...(await preview(asked, before, tried.draft, this.#served)) }
    return { ...all, ...(await this.#drafted(asked, before, tried.draft, refused)) }
  }

  async #inPlan(asked: AuthorizedRequest, fork: PlanFork): Promise<Json> {
    const { command, resourceVersion } = asked.request
    const around = this.#around(asked)
    refuseStale(resourceVersion, this.#served)
    if (fork.size + membersOf(command) > forkLimits.members)
      throw new ApiError('bad-request', Path.root.at('dry_run'), `a plan may have ${forkLimits.members} members`)
    const head = this.#head()
    const before = await this.#forkNow(fork, around)
    const tried = await tryInPlan({ ...before, reread: new Set() }, command, around)
    const settled = await tryWaiting(tried.draft, [...fork.waiting, ...tried.waiting], around)
    fork.draft = settled.draft
    fork.waiting = settled.waiting
    fork.add(command)
    const all = { ...answer(head, fork, before, { ...tried, draft: settled.draft }) }
    const live = this.#served.draft()
    const { dryRun } = asked.request
    const isOfStep = dryRun !== null && dryRun !== true && dryRun.preview === 'step'
    const previewed = { ...all, ...(await preview(asked, isOfStep ? before : live, settled.draft, this.#served)) }
    const refused = tried.verdicts.some(({ verdict }) => verdict === 'error')
    return { ...previewed, ...(await this.#drafted(asked, live, settled.draft, refused || settled.waiting.length > 0)) }
  }

  /**
   * Stores the outcome as a draft, where the request says so and nothing of it is refused or waits for another request.
   */
  async #drafted(asked: AuthorizedRequest, before: Draft, after: Draft, isRefused: boolean): Promise<JsonObject> {
    const { dryRun } = asked.request
    if (isRefused || dryRun === null || dryRun === true || !dryRun.draft) return {}
    const documents = { before: before.document, after: after.document }
    const path = Path.root.at('dry_run', 'draft')
    if (assumesTables(after.document))
      throw new ApiError('bad-request', path, 'the plan rests on tables that no one tracks: it is no draft yet')
    const expiresIn = dryRun.draft === true ? undefined : dryRun.draft.expires_in
    const made = { before, after, changes: declaredChanges(documents), expiresIn }
    return { draft: await makeDraft(this.#served, asked, made, path) }
  }

  /** The fork on what is served now: on another version its members are tried again, in their order. */
  async #forkNow(fork: PlanFork, around: CommandContext): Promise<Draft> {
    const { current } = this.#served
    if (fork.draft && fork.base === current) return fork.draft
    let draft = this.#served.draft()
    for (const member of fork.members) draft = await rereadAhead(draft, plannedCommand(member), around)
    let waiting: readonly Waiting[] = []
    for (const member of fork.members) {
      const tried = await tryInPlan(draft, member, around)
      const settled = await tryWaiting(tried.draft, [...waiting, ...tried.waiting], around)
      draft = settled.draft
      waiting = settled.waiting
    }
    fork.base = current
    fork.waiting = waiting
    fork.draft = draft
    return draft
  }

  #around(asked: AuthorizedRequest): CommandContext {
    return commandContext(this.#served, asked, noEffects())
  }

  #head(): Record<string, Json> {
    const { resourceVersion } = this.#served.current
    return { dry_run: true, catalog_id: this.#served.store.catalogId, resource_version: resourceVersion }
  }
}

/** What it means for those who use the API, where the request wants it: of a plan, of all its members so far, or of this step. */
async function preview(
  { request }: AuthorizedRequest,
  before: Draft,
  after: Draft,
  { store }: ServedMetadata,
): Promise<Record<string, Json>> {
  const { dryRun } = request
  if (dryRun === null || dryRun === true || !dryRun.preview) return {}
  const described = await new Stretches().run(describePreview(before.model, after.model))
  return { preview: await withUsage(described, store.usageLog) }
}

function answer(head: Record<string, Json>, fork: PlanFork | null, before: Draft, tried: Tried): Record<string, Json> {
  const plan = fork && { id: fork.id, members: fork.size, expires_in: forkLimits.idleSeconds }
  return {
    ...head,
    ...(plan && { plan }),
    results: answersOf(tried.verdicts),
    ...describeChanges(before.model, tried.draft.model),
  }
}

/**
 * Members that waited, tried once more when something they wait for has come or gone: a plan may have thousands of them,
 * and most requests concern none.
 */
async function tryWaiting(
  start: Draft,
  waiting: readonly Waiting[],
  around: CommandContext,
): Promise<{ readonly draft: Draft; readonly waiting: readonly Waiting[] }> {
  let draft = start
  let left = waiting
  for (;;) {
    const still: Waiting[] = []
    let moved = false
    for (const one of left) {
      if (!isConcerned(one, draft)) {
        still.push(one)
        continue
      }
      moved = true
      const tried = await tryInPlan(draft, one.command, around)
      draft = tried.draft
      still.push(...tried.waiting)
    }
    if (!moved) return { draft, waiting: still }
    left = still
  }
}
