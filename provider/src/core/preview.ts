import { addressText, findObject, type MetadataDocument, type ObjectAddress } from '@svc/schema'
import { ClientError, type MetadataClient, type MetadataSnapshot, PlanFork, type Verdict } from '../client/index.ts'
import { identityOf, importId, type Operation } from '../resources/index.ts'
import { warningOf } from './diagnostic.ts'
import { explainClientError } from './explain-client-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import { stepTo } from './object-steps.ts'
import type { Diagnostic } from './provider.ts'
import { refuseExisting, refuseImpossible, type WriteRules } from './resource-write.ts'
import type { WantedObject } from './wanted-object.ts'

/** What a plan would do. */
export type Intent =
  /** `replaces`: an object that is there under this identity is the resource's own and goes first. */
  | { readonly kind: 'create'; readonly wanted: WantedObject; readonly replaces: boolean }
  | { readonly kind: 'update'; readonly wanted: WantedObject }
  | { readonly kind: 'replace'; readonly old: WantedObject; readonly wanted: WantedObject }
  | { readonly kind: 'delete'; readonly old: WantedObject }

/** What to ask the engine, or what is clear without asking. */
type Question = { readonly ask: readonly Operation[] } | { readonly answer: readonly Diagnostic[] }

const nothing: Question = { answer: [] }

/**
 * Lets the engine judge what is planned, on a fork of its own for this run (wire.md). That it cannot be asked is one
 * warning of the run, not one of each resource.
 */
export class Preview {
  readonly #snapshot: MetadataSnapshot
  readonly #fork: PlanFork
  readonly #rules: WriteRules
  readonly #endpoint: string
  /** Replacements are planned twice by some tools: the second time as a creation. */
  readonly #replacements = new Map<string, Promise<readonly Diagnostic[]>>()
  readonly #warned = new Set<string>()
  /** Drops that waited for others when they were asked for. */
  readonly #leaving = new Set<ObjectAddress>()
  #silent = false

  constructor(client: MetadataClient, snapshot: MetadataSnapshot, rules: WriteRules) {
    this.#snapshot = snapshot
    this.#fork = new PlanFork(client)
    this.#rules = rules
    this.#endpoint = client.endpoint
  }

  async judge(intent: Intent): Promise<readonly Diagnostic[]> {
    if (this.#silent) return []
    try {
      return await this.#judgeOnce(intent)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.#silent = true
      const told = explainClientError(error, this.#endpoint)
      const admitted = error.problem !== 'unauthorised' && error.problem !== 'untrusted'
      return admitted ? this.warnOnce('engine', 'plans are not checked by the engine', told.summary) : [told]
    }
  }

  /** A warning that the run tells once. */
  warnOnce(about: string, summary: string, detail: string): readonly Diagnostic[] {
    if (this.#warned.has(about)) return []
    this.#warned.add(about)
    return [warningOf(summary, detail)]
  }

  async #judgeOnce(intent: Intent): Promise<readonly Diagnostic[]> {
    const { document, catalogId } = await this.#snapshot.read()
    if (catalogId === null)
      throw new ClientError('older-engine', `the engine at ${this.#endpoint} does not know dry runs: it is older`)
    const question = questionOf(intent, document, this.#rules)
    if ('answer' in question) return question.answer
    if (question.ask.length === 0) return []
    if (intent.kind === 'delete' || intent.kind === 'update') return this.#ask(intent, question.ask)
    const key = JSON.stringify([addressText(intent.wanted.address), question.ask.at(-1)])
    const known = intent.kind === 'create' ? this.#replacements.get(key) : undefined
    const judged = known ?? this.#ask(intent, question.ask)
    if (intent.kind === 'replace') this.#replacements.set(key, judged)
    return judged
  }

  async #ask(intent: Intent, operations: readonly Operation[]): Promise<readonly Diagnostic[]> {
    const verdict = await this.#fork.try(operations)
    switch (verdict.kind) {
      case 'ok':
        return []
      case 'error':
        return [explainRefusal(subject(intent).kind, subject(intent).values, verdict.error, verdict.at)]
      case 'pending':
        return intent.kind === 'delete' ? this.#stillUsed(intent.old, verdict) : this.#waiting(verdict)
    }
  }

  /**
   * Unless what uses it goes as well, in a wave that comes a little later. Where much goes at once these waves are many,
   * and waiting for them would take the tool's slots from the very waves: then the apply tells what is left.
   */
  async #stillUsed(old: WantedObject, { needs }: Pending): Promise<readonly Diagnostic[]> {
    const left = () => [...this.#leaving].filter((address) => !this.#fork.isDeleted(address))
    this.#leaving.add(old.address)
    if (left().length > few) return []
    await this.#fork.quiet()
    if (this.#fork.isDeleted(old.address) || left().length > few) return []
    const users = needs.join(', ')
    return [
      warningOf(
        `${nameOf(old)} is still used`,
        `By ${users || 'other objects'}. It can go only after these are gone or changed; what uses it outside of this configuration makes the apply fail.`,
      ),
    ]
  }

  #waiting({ needs }: Pending): readonly Diagnostic[] {
    const source = needs.find((need) => need.startsWith('source '))
    return source === undefined
      ? []
      : this.warnOnce(source, `what lies in ${source} is not checked`, 'The engine does not have this source yet.')
  }
}

const few = 3

type Pending = Extract<Verdict, { readonly kind: 'pending' }>

const subject = (intent: Intent): WantedObject => (intent.kind === 'delete' ? intent.old : intent.wanted)

const nameOf = ({ kind, values }: WantedObject) => `${kind.kind} ${importId(identityOf(kind, values) ?? [])}`

function questionOf(intent: Intent, document: MetadataDocument, rules: WriteRules): Question {
  const live = (object: WantedObject) => findObject(document, object.address)
  const drops = (object: WantedObject) => {
    const there = live(object)
    return there ? object.kind.delete(there.value, object.place) : []
  }
  switch (intent.kind) {
    case 'delete':
      return { ask: drops(intent.old) }
    case 'update':
      return asked(intent.wanted, stepTo(intent.wanted, live(intent.wanted)))
    case 'replace':
      return prefixed(drops(intent.old), asked(intent.wanted, stepTo(intent.wanted, undefined)))
    case 'create': {
      const there = live(intent.wanted)
      const step = stepTo(intent.wanted, there)
      if (!there) return asked(intent.wanted, step)
      if (intent.replaces) return prefixed(drops(intent.wanted), asked(intent.wanted, stepTo(intent.wanted, undefined)))
      const adopted = rules.adoptExisting && step.kind === 'none'
      return adopted ? nothing : { answer: [refuseExisting(intent.wanted, there, rules)] }
    }
  }
}

function asked(wanted: WantedObject, step: ReturnType<typeof stepTo>): Question {
  switch (step.kind) {
    case 'none':
      return nothing
    case 'operations':
      return { ask: step.operations }
    case 'impossible':
      return { answer: [refuseImpossible(wanted)] }
  }
}

const prefixed = (first: readonly Operation[], question: Question): Question =>
  'ask' in question ? { ask: [...first, ...question.ask] } : question
