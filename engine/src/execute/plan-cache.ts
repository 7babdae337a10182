import { type Api, holds, type PlanFor, sameUses } from '../graphql/index.ts'
import type { Model } from '../model/index.ts'
import { RecentMap } from '../recent-map.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { PreparedPlan } from './prepared-plan.ts'
import { tagsText } from './query-tags.ts'

/** Plans of one text may differ by what its variables hold; more than this many are not worth scanning. */
const maxCandidates = 16

/** A plan as far as the cache has to know it. */
export interface CachedPlan extends Pick<PreparedPlan, 'plan' | 'stringifyNumericTypes' | 'size'> {
  readonly roots?: readonly { readonly kind: string }[]
  readonly queryTags?: PreparedPlan['queryTags']
}

interface Candidate<P extends CachedPlan> {
  readonly prepared: P
  /** The model it was last seen to be right for. */
  model: WeakRef<Model>
}

interface PlanEntry<P extends CachedPlan> {
  readonly key: string
  candidates: readonly Candidate<P>[]
  size: number
}

/**
 * Plans by role, operation name and text (architecture, decision 4), bounded in bytes: the least recently used text
 * is dropped first. A change of the model drops nothing; a plan is compared with the model when it is requested next.
 */
export class PlanCache<P extends CachedPlan = PreparedPlan> {
  readonly #maxBytes: number
  readonly #entries = new RecentMap<string, PlanEntry<P>>()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes in the cache, by estimate. */
  get size(): number {
    return this.#size
  }

  /** A plan that serves this request on this model. */
  find(request: GraphqlRequest, asker: PlanFor, model: Model, api: Api = 'graphql'): P | undefined {
    const key = keyOf(request, asker, api)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const given = Object.keys(request.variables)
    const fitting = entry.candidates.find(
      ({ prepared: { plan } }) =>
        given.every((name) => plan.usedVariables.has(name)) && holds(plan.guards, request.variables),
    )
    if (!fitting) return undefined
    if (fitting.model.deref() === model) return fitting.prepared
    if (stillRight(fitting.prepared, asker, model, api)) {
      fitting.model = new WeakRef(model)
      return fitting.prepared
    }
    this.#resize(
      entry,
      entry.candidates.filter((candidate) => candidate !== fitting),
    )
    return undefined
  }

  put(request: GraphqlRequest, asker: PlanFor, model: Model, prepared: P, api: Api = 'graphql'): void {
    const key = keyOf(request, asker, api)
    const known = this.#entries.get(key)
    const entry: PlanEntry<P> = known ?? { key, candidates: [], size: 0 }
    if (!known) this.#entries.set(key, entry)
    const others = entry.candidates.filter(({ prepared: { plan } }) => !holds(plan.guards, request.variables))
    this.#resize(entry, [{ prepared, model: new WeakRef(model) }, ...others.slice(0, maxCandidates - 1)])
    for (let oldest = this.#entries.oldest; oldest && this.#size > this.#maxBytes; oldest = this.#entries.oldest)
      this.#resize(oldest, [])
  }

  #resize(entry: PlanEntry<P>, candidates: readonly Candidate<P>[]): void {
    const size =
      candidates.length === 0
        ? 0
        : candidates.reduce((sum, { prepared }) => sum + prepared.size, entry.key.length + 200)
    this.#size += size - entry.size
    entry.size = size
    entry.candidates = candidates
    if (candidates.length === 0) this.#entries.delete(entry.key)
  }
}

/** Lengths in front, so that a role or name cannot be read as a part of another text. */
function keyOf({ query, operationName, isRepeated }: GraphqlRequest, { role, backendOnly }: PlanFor, api: Api): string {
  return `${api === 'relay' ? 'r' : ''}${isRepeated ? 's' : ''}${backendOnly ? 'b' : ''}${role.length}:${role}${operationName === null ? '-' : `${operationName.length}:${operationName}`}${query}`
}

/** Whether a plan that was made for another model serves this one. */
export function stillRight(
  { plan, roots, stringifyNumericTypes, queryTags }: CachedPlan,
  asker: PlanFor,
  model: Model,
  api: Api,
): boolean {
  if (model.introspectionDisabledFor.has(asker.role) && roots?.some(({ kind }) => kind === 'introspection'))
    return false
  if (queryTags && queryTags.text !== tagsText(model, queryTags.sources)) return false
  return stringifyNumericTypes === model.input.settings.stringifyNumericTypes && sameUses(plan.uses, model, asker, api)
}
