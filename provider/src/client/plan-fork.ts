import { randomUUID } from 'node:crypto'
import { setImmediate as soon } from 'node:timers/promises'
import {
  addressText,
  customTypeAddress,
  customTypeNames,
  isRecord,
  type Json,
  type JsonObject,
  type ObjectAddress,
  recordOf,
  recordsIn,
} from '@svc/schema'
import { ClientError, type EngineErrorBody, isEngineErrorBody, placeOfFault } from './client-error.ts'
import { addressOfObject } from './logged-changes.ts'
import type { Answer, MetadataClient } from './metadata-client.ts'
import { type Need, readNeeds } from './need.ts'
import { refusedMember } from './refused-member.ts'
import type { Sending } from './write.ts'
import { stepOf } from './write-batch.ts'

/** What the engine says of one member of a plan (docs/dry-run.md). */
export type Verdict =
  /** `result`: what the operation would answer. */
  | { readonly kind: 'ok'; readonly result: Json }
  | { readonly kind: 'error'; readonly error: EngineErrorBody; readonly at: string }
  /** A later member could mend it. */
  | {
      readonly kind: 'pending'
      readonly error: EngineErrorBody
      readonly at: string
      readonly needs: readonly Need[]
    }

interface Asked<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

interface AskedStep extends Asked<Verdict> {
  readonly step: Json
}

/**
 * One run's plan on the engine's fork, one request at a time; what is called meanwhile is sent together. A fork that
 * the engine has forgotten is made again from everything that was sent.
 */
export class PlanFork {
  readonly #client: MetadataClient
  #plan: string
  #sent: readonly Json[] = []
  #queue: AskedStep[] = []
  #previews: Asked<JsonObject>[] = []
  /** The last preview, which is the same until something else is planned. */
  #described: { readonly of: readonly Json[]; readonly preview: JsonObject } | null = null
  #running = false
  #meanings: JsonObject[] | null = null
  readonly #made = new Set<string>()
  readonly #deleted = new Set<string>()

  /** `id`: by which other requests find the plan, as long as the engine has it. */
  constructor(client: MetadataClient, id: string = randomUUID()) {
    this.#client = client
    this.#plan = id
  }

  /** Lets the engine try operations as one step. Rejects with ClientError; the engine must be one that knows dry runs. */
  try(operations: Sending['operations']): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ step: stepOf(operations), resolve, reject })
      void this.#run()
    })
  }

  /** Returns what all that was tried so far means for users of the API (docs/preview.md). Rejects with ClientError. */
  preview(): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#previews.push({ resolve, reject })
      void this.#run()
    })
  }

  /** What was tried since the last call means; the first call requests it with each step from then on. */
  drainMeanings(): readonly JsonObject[] {
    const meanings = this.#meanings ?? []
    this.#meanings = []
    return meanings
  }

  /** Whether what waited for other members succeeded with what later waves of the plan added. */
  isMade(address: ObjectAddress): boolean {
    return this.#made.has(addressText(address))
  }

  /** The same of a drop. */
  isDeleted(address: ObjectAddress): boolean {
    return this.#deleted.has(addressText(address))
  }

  /** Whether the engine has not answered all that it was sent. */
  get isAsking(): boolean {
    return this.#running
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    await soon() // what arrives in the same breath goes along
    while (this.#queue.length + this.#previews.length > 0) {
      const [batch, previews] = [this.#queue, this.#previews]
      this.#queue = []
      this.#previews = []
      try {
        const verdicts = batch.length > 0 ? await this.#ask(batch.map(({ step }) => step)) : []
        for (const [i, { resolve }] of batch.entries()) resolve(verdicts[i] ?? nothingSaid)
        const preview = previews.length > 0 ? await this.#describe() : {}
        for (const { resolve } of previews) resolve(preview)
      } catch (error) {
        for (const { reject } of [...batch, ...previews]) reject(error)
      }
    }
    this.#running = false
  }

  async #describe(): Promise<JsonObject> {
    if (this.#described?.of === this.#sent) return this.#described.preview
    const asked = await this.#send([], true)
    const { preview } = asked.members === this.#sent.length ? asked : await this.#again(this.#sent, true)
    if (preview) {
      this.#described = { of: this.#sent, preview }
      return preview
    }
    throw new ClientError('older-engine', `the engine at ${this.#client.endpoint} does not know previews: it is older`)
  }

  async #ask(steps: readonly Json[]): Promise<readonly Verdict[]> {
    const { answer, accepted, verdictsOf } = await this.#trySteps(steps)
    const all = [...this.#sent, ...accepted]
    const { members, verdicts } = answer.members === all.length ? answer : await this.#again(all, this.#ofSteps)
    if (members === all.length) this.#sent = all
    return verdictsOf(verdicts.slice(verdicts.length - accepted.length))
  }

  /** A step that the engine refuses to parse refuses the request: the rest are sent again without it. */
  async #trySteps(steps: readonly Json[]): Promise<TriedSteps> {
    const refused = new Map<Json, Verdict>()
    for (;;) {
      const accepted = steps.filter((step) => !refused.has(step))
      try {
        const answer =
          accepted.length === 0
            ? { ...nothingTried, members: this.#sent.length }
            : await this.#send(accepted, this.#ofSteps)
        const verdictsOf = (verdicts: readonly Verdict[]) => {
          const left = verdicts.values()
          return steps.map((step) => refused.get(step) ?? left.next().value ?? nothingSaid)
        }
        return { answer, accepted, verdictsOf }
      } catch (error) {
        const member = refusedMember(error, accepted.length)
        const step = member && accepted[member.index]
        if (!member || step === undefined || step === null) throw error
        refused.set(step, { kind: 'error', error: member.error, at: placeOfFault(member.error) })
      }
    }
  }

  get #ofSteps(): 'step' | false {
    return this.#meanings ? 'step' : false
  }

  #again(all: readonly Json[], preview: boolean | 'step'): Promise<Tried> {
    this.#plan = randomUUID()
    return this.#send(all, preview)
  }

  async #send(args: readonly Json[], preview: boolean | 'step'): Promise<Tried> {
    const dry_run = { plan: this.#plan, ...(preview && { preview }) }
    const answer = await this.#client.send({ type: 'bulk_keep_going', args, dry_run })
    const tried = readTried(answer, this.#client.endpoint)
    if (preview === 'step' && tried.preview) this.#meanings?.push(tried.preview)
    for (const { address, isDeleted } of tried.changed) (isDeleted ? this.#deleted : this.#made).add(address)
    return tried
  }
}

interface TriedSteps {
  readonly answer: Tried
  /** The steps that the engine could parse. */
  readonly accepted: readonly Json[]
  /** The verdicts of all steps, from those of the accepted ones. */
  readonly verdictsOf: (accepted: readonly Verdict[]) => readonly Verdict[]
}

const nothingSaid: Verdict = { kind: 'ok', result: null }

const nothingTried = { verdicts: [], changed: [] } as const

interface Tried {
  readonly members: number
  readonly verdicts: readonly Verdict[]
  readonly changed: readonly { readonly address: string; readonly isDeleted: boolean }[]
  /** Where it was requested. */
  readonly preview?: JsonObject
}

function readTried({ body }: Answer, endpoint: string): Tried {
  if (!isRecord(body) || body.dry_run !== true || !Array.isArray(body.results) || !isRecord(body.plan))
    throw new ClientError('older-engine', `the engine at ${endpoint} does not know dry runs of plans: it is older`)
  return {
    members: Number(body.plan.members),
    verdicts: (body.results as readonly Json[]).map((result) => verdictOf(recordOf(result))),
    changed: changedIn(body.changes),
    ...(isRecord(body.preview) && { preview: body.preview }),
  }
}

function changedIn(changes: Json | undefined): Tried['changed'] {
  return recordsIn(changes).flatMap(({ change, object, old, new: now }) => {
    const address = addressOfObject(object)
    const own = address ? [{ address: addressText(address), isDeleted: change === 'delete' }] : []
    return address?.type === 'custom_types' ? [...own, ...changedTypes(old, now)] : own
  })
}

/** Types are one object, of which resources may be parts. */
function changedTypes(old: Json | undefined, now: Json | undefined): Tried['changed'] {
  const [before, after] = [customTypeNames(old), customTypeNames(now)]
  const change = (name: string, isDeleted: boolean) => ({ address: addressText(customTypeAddress(name)), isDeleted })
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => change(name, true)),
    ...after.map((name) => change(name, false)),
  ]
}

export function verdictOf({ verdict, error, at, needs, result = null }: JsonObject): Verdict {
  if (verdict === 'ok' || !isEngineErrorBody(error)) return { kind: 'ok', result }
  const place = typeof at === 'string' ? at : placeOfFault(error)
  if (verdict !== 'pending') return { kind: 'error', error, at: place }
  return { kind: 'pending', error, at: place, needs: readNeeds(needs) }
}
