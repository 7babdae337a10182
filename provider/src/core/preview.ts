import {
  addressText,
  childTypesOf,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
} from '@svc/schema'
import {
  ClientError,
  type MetadataClient,
  type MetadataSnapshot,
  type Need,
  PlanFork,
  type Verdict,
} from '../client/index.ts'
import type { Operation } from '../resources/index.ts'
import { ApiPreviews, type WarnsOf } from './api-preview.ts'
import type { InconsistentObject } from './apply-plan.ts'
import { brokenOutside, newlyBroken } from './broken-outside.ts'
import { containedIn, namesOf as listOf } from './contained-objects.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import { findObject } from './document-objects.ts'
import { engineWarnings } from './engine-warnings.ts'
import { explainClientError } from './explain-client-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import { isGrant, moveOf } from './move-object.ts'
import { stepTo } from './object-steps.ts'
import { needTitle, type TypeName } from './object-title.ts'
import { asked, dropsOf, type Intent, type Question, questionOf, sideEffectsOf, subject } from './preview-question.ts'
import type { Diagnostic } from './provider.ts'
import { eitherRelationship } from './references.ts'
import type { ReferringObject } from './referring-objects.ts'
import type { PreviewChecks } from './settings.ts'
import { ToolCalls } from './tool-calls.ts'
import { WaitingObjects } from './waiting-objects.ts'
import type { WantedObject } from './wanted-object.ts'
import { refuseExisting, refuseImpossible, type WriteRules } from './write-refusals.ts'

/**
 * Has the engine try what is planned, on a fork of its own for this run (docs/dry-run.md). That it cannot be reached is
 * one warning of the run, not one of each resource.
 */
export class Preview {
  readonly #snapshot: MetadataSnapshot
  readonly #fork: PlanFork
  readonly #rules: WriteRules
  readonly #endpoint: string
  /** Replacements are planned twice by some tools: the second time as a creation. */
  readonly #replacements = new Map<string, Promise<readonly Diagnostic[]>>()
  readonly #warned = new Set<string>()
  readonly #calls: ToolCalls
  readonly #waiting: WaitingObjects
  /** What this plan has moved, in order, and what is there with it. */
  readonly #moves: ((document: MetadataDocument) => MetadataDocument)[] = []
  #seen: { readonly live: MetadataDocument; readonly document: MetadataDocument } | null = null
  /** What this plan deletes or moves away. */
  readonly #gone = new Set<string>()
  /** What this plan makes and cannot be tried before it is applied, since values of it are not known. */
  readonly #unknown = new Set<string>()
  /** What the engine has refused. */
  readonly #refused = new Set<string>()
  /** What gets another identity in this plan, by the one that it had. */
  readonly #leaving = new Set<string>()
  /** Function permissions that this plan leaves as they are, and those of a role that leaves in it, with how. */
  readonly #unchanged = new Set<string>()
  readonly #abandoned = new Map<string, string>()
  readonly #checks: PreviewChecks
  #silent = false
  readonly #previews: ApiPreviews

  readonly #inconsistent: () => Promise<readonly InconsistentObject[]>

  /** `inconsistent`: what the engine calls so now. */
  constructor(
    client: MetadataClient,
    snapshot: MetadataSnapshot,
    rules: WriteRules,
    inconsistent: () => Promise<readonly InconsistentObject[]>,
    {
      checks,
      planId,
      parallelism,
    }: { readonly checks: PreviewChecks; readonly planId?: string; readonly parallelism?: () => number | null },
  ) {
    this.#checks = checks
    this.#calls = new ToolCalls(parallelism)
    this.#inconsistent = inconsistent
    this.#snapshot = snapshot
    this.#fork = new PlanFork(client, planId)
    this.#waiting = new WaitingObjects(this.#fork, this.#calls, checks === 'strict')
    this.#rules = rules
    this.#endpoint = client.endpoint
    this.#previews = new ApiPreviews(client.endpoint)
  }

  /** That the tool has made a call, of whatever kind. */
  see(): void {
    this.#calls.see()
  }

  check(intent: Intent): Promise<readonly Diagnostic[]> {
    return this.#unlessAway(async () => {
      const checked = await this.#checkOnce(intent)
      const meanings = this.#previews.isRead ? this.#fork.drainMeanings() : []
      return [...checked, ...meanings.flatMap((preview) => this.#previews.later(preview))]
    })
  }

  /**
   * Returns what all that is planned means for users of the API, once nothing more arrives, and the warnings about it.
   * Complete: nothing of the plan waits for other objects or for values that only the apply knows. Throws ClientError.
   */
  async describe(of: WarnsOf) {
    await this.#waiting.quiet()
    // what is tried meanwhile is reported later; what the preview has already is warned of once
    this.#fork.drainMeanings()
    const found: JsonObject = await this.#fork.preview()
    const isComplete = this.#waiting.isThrough && this.#unknown.size === 0 && !this.#silent
    return { found, isComplete, diagnostics: this.#previews.read(found, of) }
  }

  /** What another server, on which an unchanged object depends, has changed since the engine read it. */
  reload(object: WantedObject): Promise<readonly Diagnostic[]> {
    return this.#unlessAway(async () => {
      const { document: live } = await this.#snapshot.read()
      const document = this.#moved(live)
      const { outside } = object.kind
      const there = findObject(document, object.address)
      if (!outside || !there) return []
      const known = await this.#inconsistent()
      const verdict = await this.#calls.during(() => this.#fork.try([outside.reload(there.value)]))
      return verdict.kind === 'ok'
        ? brokenOutside(object, document, newlyBroken(verdict.result, known), this.#fork, this.#waiting)
        : []
    })
  }

  async #unlessAway(ask: () => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
    if (this.#silent) return []
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.#silent = true
      const explained = explainClientError(error, this.#endpoint)
      const admitted = !['unauthorised', 'token', 'untrusted', 'other-catalog'].includes(error.problem)
      if (!admitted) return [explained]
      const summary = 'plans are not checked by the engine'
      if (this.#checks === 'lenient') return this.warnOnce('engine', summary, explained.summary)
      const advice = 'preview_checks = "lenient" makes a warning of this.'
      return [errorOf(summary, [explained.summary, explained.detail, advice].filter(Boolean).join('\n'))]
    }
  }

  /** An object that this plan makes and that cannot be tried yet. Address null: not even its identity is known. */
  expect(type: ObjectType, address: ObjectAddress | null): void {
    this.#unknown.add(address ? addressText(address) : type)
  }

  /** A warning that the run reports once. */
  warnOnce(about: string, summary: string, detail: string): readonly Diagnostic[] {
    if (this.#warned.has(about)) return []
    this.#warned.add(about)
    return [warningOf(summary, detail)]
  }

  async #checkOnce(intent: Intent): Promise<readonly Diagnostic[]> {
    const { document: live, catalogId } = await this.#snapshot.read()
    if (catalogId === null)
      throw new ClientError('older-engine', `the engine at ${this.#endpoint} does not know dry runs: it is older`)
    const document = this.#moved(live)
    if (intent.kind === 'delete') this.#gone.add(addressText(intent.old.address))
    if (intent.kind === 'replace') {
      this.#leaving.add(addressText(intent.old.address))
      this.#waiting.release()
    }
    const there = intent.kind === 'replace' && findObject(document, intent.old.address)
    if (there) return this.#calls.during(() => this.#move(intent, document, there))
    const question = this.#movedThere(intent, live, document) ?? questionOf(intent, document, this.#rules)
    if ('answer' in question) return question.answer
    if (question.ask.length === 0) return []
    const ask = () => this.#calls.during(() => this.#ask(intent, question.ask, document))
    if (intent.kind === 'delete' || intent.kind === 'update') return ask()
    const key = JSON.stringify([addressText(intent.wanted.address), question.ask.at(-1)])
    const known = intent.kind === 'create' ? this.#replacements.get(key) : undefined
    const checked = known ?? ask()
    if (intent.kind === 'replace') this.#replacements.set(key, checked)
    return checked
  }

  async #ask(
    intent: Intent,
    operations: readonly Operation[],
    document: MetadataDocument,
  ): Promise<readonly Diagnostic[]> {
    const verdict = await this.#fork.try(operations)
    this.#waiting.release()
    const object = subject(intent)
    switch (verdict.kind) {
      case 'ok':
        return [
          ...engineWarnings(verdict.result),
          ...(intent.kind === 'delete' ? await this.#takesAlong(intent, document) : sideEffectsOf(intent, document)),
        ]
      case 'error':
        this.#refused.add(addressText(object.address))
        return [explainRefusal(object.kind, object.values, verdict.error, verdict.at)]
      case 'pending': {
        const own = addressText(object.address)
        const needsItself = verdict.needs.every(({ address }) => address && addressText(address) === own)
        if (intent.kind === 'update' && needsItself)
          return [explainRefusal(object.kind, object.values, verdict.error, verdict.at)]
        const isNew = intent.kind === 'create' && !intent.replaces
        const isUsed = !isNew && verdict.needs.some(({ address }) => address && findObject(document, address))
        if (!isUsed) return this.#stillMissing(object, verdict)
        if (intent.kind === 'replace' && (await this.#canBeCreatedFirst(intent))) {
          // what uses it is planned only after this is answered
          await this.#fork.try(dropsOf(intent.old, document))
          return []
        }
        return this.#stillUsed(intent, verdict)
      }
    }
  }

  /** What is there, with what this plan has moved. */
  #moved(live: MetadataDocument): MetadataDocument {
    if (this.#seen?.live !== live)
      this.#seen = { live, document: this.#moves.reduce((document, outcome) => outcome(document), live) }
    return this.#seen.document
  }

  /**
   * An object that this plan has moved already, with its parent or when it was planned first, is changed in its new
   * place.
   */
  #movedThere(intent: Intent, live: MetadataDocument, document: MetadataDocument): Question | null {
    if (intent.kind === 'delete' || intent.kind === 'update') return null
    const { wanted } = intent
    const there = findObject(document, wanted.address)
    return there && !findObject(live, wanted.address) ? asked(wanted, stepTo(wanted, there)) : null
  }

  /** An object that gets another identity moves with the objects inside it and the references to it. */
  async #move(
    intent: Extract<Intent, { kind: 'replace' }>,
    document: MetadataDocument,
    there: MetadataObject,
  ): Promise<readonly Diagnostic[]> {
    const { old, wanted } = intent
    const inTheWay = findObject(document, wanted.address)
    if (inTheWay) return [refuseExisting(wanted, inTheWay, this.#rules)]
    // to a fork a table that is not tracked could be tracked: it would not report that one is deleted
    const first = childTypesOf(wanted.kind.type).length > 0 || wanted.kind.createBeforeDelete === true
    for (const names of [first, !first]) {
      const move = moveOf(document, there, old, wanted, names)
      if (!move) return [refuseImpossible(wanted)]
      if (names && !first && move.referring.length === 0) break
      if ((await this.#fork.try(move.operations)).kind !== 'ok') continue
      this.#moves.push(move.outcome)
      this.#seen = null
      this.#gone.add(addressText(old.address))
      this.#waiting.release()
      const grants = move.referring.filter(isGrant)
      const others = move.referring.filter((one) => !isGrant(one))
      const named = listOf(
        document,
        others.map(({ at }) => at),
        this.#rules.typeName,
      )
      const along = warningOf(
        `${old.title()} becomes ${wanted.title()}, and what names it is changed along`,
        `${named}: so that nothing is lost in between. What this configuration declares otherwise is changed back by it.`,
      )
      return [
        ...sideEffectsOf(intent, document),
        ...(others.length > 0 ? [along] : []),
        ...(await this.#grantsNothing(old, wanted, grants, document)),
      ]
    }
    const question = asked(wanted, stepTo(wanted, undefined))
    return 'answer' in question
      ? question.answer
      : this.#ask(intent, [...dropsOf(old, document), ...question.ask], document)
  }

  /**
   * A permission of the former role is not granted to the new one, unless its own resource says so: one that remains
   * as it is, is an error, one that is not planned so far is removed.
   */
  async #grantsNothing(
    old: WantedObject,
    wanted: WantedObject,
    grants: readonly ReferringObject[],
    document: MetadataDocument,
  ): Promise<readonly Diagnostic[]> {
    const left = () =>
      grants.map(({ at }) => at).filter((at) => !this.#isGone(at) && !this.#leaving.has(addressText(at)))
    const names = () => listOf(document, left(), this.#rules.typeName)
    const change = `${old.title()} becomes ${wanted.title()}`
    for (const at of left()) this.#abandoned.set(addressText(at), change)
    if (left().some((at) => this.#unchanged.has(addressText(at)))) return [doesNotFollow(change, names())]
    const detail =
      'No plan gives a role what no one declares for it. A resource that declares it has to change its role in this plan as well.'
    const isThrough = () => left().every((at) => this.#unchanged.has(addressText(at)))
    if (isThrough()) return []
    return this.#waiting.waited({
      name: old.title(),
      address: old.address,
      change: 'reload',
      report: () => [warningOf(`${change}, and ${names()} is removed with it`, detail)],
      isThrough,
    })
  }

  /** What a plan leaves as it is: an error where what it is of gets another role in the same plan. */
  checkUnchanged(object: WantedObject): readonly Diagnostic[] {
    const at = addressText(object.address)
    this.#unchanged.add(at)
    this.#waiting.release()
    const change = this.#abandoned.get(at)
    return change === undefined ? [] : [doesNotFollow(change, object.title())]
  }

  /** Objects inside a deleted one, unless they are deleted themselves, in a wave that comes a little later. */
  #takesAlong(
    { old, force }: Extract<Intent, { kind: 'delete' }>,
    document: MetadataDocument,
  ): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
    const left = () => containedIn(document, old.address).filter((one) => !this.#isGone(one))
    if (left().length === 0) return []
    const report = () => [
      warningOf(
        `${old.title()} takes along what is in it`,
        `${listOf(document, left(), this.#rules.typeName)}. ${force ? 'Its force_destroy lets it.' : 'What is still there when it is deleted stops the apply, unless force_destroy was applied before.'}`,
      ),
    ]
    const isThrough = () => left().length === 0
    return this.#waiting.waited({ name: old.title(), address: old.address, change: 'delete', report, isThrough })
  }

  #isGone(at: ObjectAddress): boolean {
    return this.#gone.has(addressText(at))
  }

  /** Whether what replaces something that is used can be there first, so that what uses it can change over. */
  async #canBeCreatedFirst({ old, wanted }: Extract<Intent, { kind: 'replace' }>) {
    if (!wanted.kind.createBeforeDelete || !isRenamed(old.address, wanted.address)) return false
    const question = asked(wanted, stepTo(wanted, undefined))
    return 'ask' in question && (await this.#fork.try(question.ask)).kind === 'ok'
  }

  /** Unless what uses it goes as well, in a wave that comes a little later. */
  #stillUsed(intent: Intent, { needs }: Pending): Promise<readonly Diagnostic[]> {
    const address = subject(intent).address
    const change = intent.kind === 'delete' ? 'delete' : 'make'
    const old = intent.kind === 'replace' ? intent.old : subject(intent)
    const detail = `By ${neededNames(needs, this.#rules.typeName)}. It can go only after these are gone or changed; what uses it outside of this configuration makes the apply fail.`
    const summary = `${old.title()} is still used`
    const report = (isCertain: boolean) => [
      this.#isRefused(isCertain) ? errorOf(summary, detail) : warningOf(summary, detail),
    ]
    return this.#waiting.waited({ name: old.title(), address, change, needs, report })
  }

  /** Unless what it needs is planned as well, in a wave that comes a little later. What needs itself never comes. */
  #stillMissing(
    wanted: WantedObject,
    { needs, error, at }: Pending,
  ): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
    const { kind, values } = wanted
    const address = wanted.address
    const later = needs.find((need) => this.#isUnknown(need))
    if (later) return this.#notChecked(later)
    const report = (isCertain: boolean): readonly Diagnostic[] => {
      const explained = explainRefusal(kind, values, error, at)
      if (this.#waiting.needsItself(address))
        return [{ ...explained, detail: 'What it needs needs it in turn: neither can be made before the other.' }]
      const needed = neededNames(needs, this.#rules.typeName)
      const unmade = needs.find((need) => this.#isUnknown(need))
      if (unmade) return this.#notChecked(unmade)
      const detail = `It needs ${needed}, which the engine does not have and this plan ${isCertain ? 'does not make: the apply will fail.' : 'has not made so far. Unless it still comes the apply fails.'}`
      // what is wrong with what it needs is reported there
      const isPlanned = needs.length > 0 && needs.every((need) => this.#isPlanned(need))
      if (!this.#isRefused(isCertain)) return [{ ...explained, severity: 'warning', detail }]
      return isPlanned ? [] : [{ ...explained, detail }]
    }
    return this.#waiting.waited({ name: wanted.title(), address, change: 'make', needs, report })
  }

  /** Whether what waits when nothing more comes is an error. */
  #isRefused(isCertain: boolean): boolean {
    return isCertain && this.#checks === 'strict'
  }

  #notChecked({ name }: Need): readonly Diagnostic[] {
    const isSource = name.startsWith('source ')
    return this.warnOnce(
      name,
      isSource ? `what is in ${name} is not checked` : `what needs ${name} is not checked`,
      'Not all of it is known before the apply.',
    )
  }

  /** Whether this plan makes it, with values that are not known yet. */
  #isUnknown({ address }: Need): boolean {
    return (address ? eitherRelationship(address) : []).some(
      (one) =>
        this.#unknown.has(addressText(one)) ||
        this.#unknown.has(one.type) ||
        // permissions make a role known
        (one.type === 'inherited_role' && [...this.#unknown].some((text) => text.includes('_permission'))),
    )
  }

  /** Whether it is planned, and waits or was refused itself. */
  #isPlanned({ address }: Need): boolean {
    return (address ? eitherRelationship(address) : []).some(
      (one) => this.#waiting.isWaiting(one) || this.#refused.has(addressText(one)),
    )
  }
}

const doesNotFollow = (change: string, names: string): Diagnostic =>
  errorOf(
    `${change}, which ${names} does not follow`,
    'Declare the same role there, or remove it: no plan gives a role what no one declared for it.',
    ['role'],
  )

/** In its place: elsewhere it may clash with what has its name there. */
const isRenamed = (old: ObjectAddress, now: ObjectAddress): boolean =>
  addressText(old) !== addressText(now) && JSON.stringify(old.parent) === JSON.stringify(now.parent)

const neededNames = (needs: Pending['needs'], typeName: TypeName): string =>
  needs.map((need) => needTitle(need, typeName)).join(', ') || 'other objects'

type Pending = Extract<Verdict, { readonly kind: 'pending' }>
