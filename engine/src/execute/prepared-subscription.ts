import type { MultiplexedQuery, MultiplexedRoot, Statement, TypeSystem } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { SubscriptionPlan, SubscriptionRoot } from '../graphql/index.ts'
import { columnOf } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import { heapSize } from './heap-size.ts'
import type { CachedPlan } from './plan-cache.ts'
import type { PreparedPlan } from './prepared-plan.ts'

/** A subscription that is polled together with others, or executed by itself periodically. */
export type PreparedSubscription = PreparedPoll | PreparedRepetition

/** Before it is known what counts it. */
type Uncounted = Omit<PreparedPoll, keyof Counted> | Omit<PreparedRepetition, keyof Counted>

/** Who counts those who begin it; null: nothing does. */
type Counted = Pick<PreparedPlan, 'tally' | 'asked'>

interface PreparedRepetition extends CachedPlan, Counted {
  readonly kind: 'repetition'
  readonly query: string
}

/** A subscription with its statement: all that a subscriber needs in addition to its variables and session. */
export interface PreparedPoll extends CachedPlan, Counted {
  readonly kind: 'poll'
  /** The text that it was made of. */
  readonly query: string
  /** The response key of its root field: the first of several. */
  readonly root: string
  readonly source: string
  readonly types: TypeSystem
  /** Whether its source, not a value, is at fault. */
  isUnreachable(error: ApiError): boolean
  readonly multiplexed: MultiplexedQuery
  readonly statement: Statement
  /** What stands around the JSON of each root field in an answer: one more than there are of these. */
  readonly pieces: readonly Buffer[]
  /** Of a stream; null: a live query. */
  readonly cursor: StreamCursor | null
}

export interface StreamCursor {
  /** Which of a member's values it is; a value that the statement does not bring is no slot. */
  readonly slot: number
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Compiles a subscription for its source; throws unexpected where that refuses subscriptions, or `explain`ing them. */
export function prepareSubscription(
  query: string,
  plan: SubscriptionPlan,
  model: Model,
  refusal: 'reason' | 'explain' = 'reason',
): Uncounted {
  const { roots, source: name, asked: _, ...rest } = plan
  const { stringifyNumericTypes } = model.input.settings
  if (name === null) return { kind: 'repetition', query, plan: rest, stringifyNumericTypes, size: 3000 }
  const source = model.input.sources.get(name)
  if (!source?.backend) throw new Error(`the plan reaches source ${name}, which the model lacks`)
  const { subscriptions } = source.backend.types.features
  if (subscriptions.status === 'refused')
    throw new ApiError('unexpected', Path.root, subscriptions[refusal], { status: 500 })
  const asked: MultiplexedRoot[] = []
  const texts = textsAround(roots, asked)
  if (!source.backend.compileMultiplexed) throw new Error(`${source.backend.kind} sources have no subscriptions`)
  const multiplexed = source.backend.compileMultiplexed(asked, { stringifyNumericTypes })
  const { text, effects } = multiplexed
  return {
    kind: 'poll',
    query,
    root: roots[0]?.responseKey ?? '',
    source: name,
    types: source.backend.types,
    isUnreachable: source.backend.failures.isUnreachable,
    plan: rest,
    multiplexed,
    statement: { text, slots: [], effects },
    pieces: texts.map((each) => Buffer.from(each)),
    cursor: cursorOf(asked, multiplexed),
    stringifyNumericTypes,
    // the parts of the statement are cached too, for explain
    size: 3000 + 6 * heapSize(text) + heapSize(multiplexed.slots) + heapSize(rest.checks) + heapSize(rest.guards),
  }
}

/**
 * Returns the texts before, between and after what the database answers; the roots that it answers are added to
 * `asked`.
 */
function textsAround(roots: readonly SubscriptionRoot[], asked: MultiplexedRoot[]): readonly string[] {
  const texts = ['']
  const add = (text: string) => {
    texts[texts.length - 1] += text
  }
  const addAll = (inner: readonly SubscriptionRoot[], closing: string) => {
    inner.forEach((root, i) => {
      add(`${i === 0 ? '{' : ','}${JSON.stringify(root.responseKey)}:`)
      switch (root.kind) {
        case 'database':
          asked.push({ kind: 'query', query: root.query })
          texts.push('')
          break
        case 'stream':
          asked.push({ kind: 'stream', query: root.query })
          texts.push('')
          break
        case 'action':
          throw new Error('the result of an action is no part of a statement')
        case 'text':
          add(JSON.stringify(root.text))
          break
        case 'namespace':
          addAll(root.roots, '}')
          break
      }
    })
    add(closing)
  }
  add('{"data":')
  addAll(roots, '}}')
  return texts
}

function cursorOf(asked: readonly MultiplexedRoot[], { slots }: MultiplexedQuery): StreamCursor | null {
  const [root] = asked
  if (root?.kind !== 'stream') return null
  const { initial, of, direction } = root.query.cursor
  return { slot: slots.indexOf(initial), column: columnOf(of) ?? '', direction }
}
