/** What is alike in the statements of all dialects that run one query for many members (reference/subscriptions#live-queries). */
import { ApiError, Path } from '../errors.ts'
import { type Value, valueKey } from '../ir/index.ts'
import { type Dialect, print, printInlined, type Sql } from './sql.ts'
import type { MultiplexedQuery } from './statements.ts'

type Members = Parameters<MultiplexedQuery['parameters']>[0]

/** A parameter of the whole statement: a text made of what all members bring, or a value that they have in common. */
export type MultiplexedParameter = { readonly ofMembers: (members: Members) => string } | Value

/** The values that each member brings, in columns of a record set. */
export class MemberColumns {
  readonly values: Value[] = []
  readonly #numbers = new Map<Value | string, number>()

  /** Returns the column of a value, or null for one that all members have in common. `key`: equal keys share a column. */
  numberOf(value: Value, key: Value | string = valueKey(value)): number | null {
    if (value.kind === 'constant' && !value.literal) return null
    const number = this.#numbers.get(key) ?? this.values.push(value) - 1
    this.#numbers.set(key, number)
    return number
  }

  /** Throws validation-failed for more values than columns are possible. */
  check(most: number): void {
    const { length } = this.values
    if (length > most)
      throw new ApiError(
        'validation-failed',
        Path.root,
        `a subscription compares with ${length} values: at most ${most} are allowed, a list counts as one`,
      )
  }
}

/** Returns the query whose whole statement is `text`; `slots`: what each member brings. */
export function multiplexedQuery(
  text: Sql<MultiplexedParameter>,
  slots: readonly Value[],
  effects: MultiplexedQuery['effects'],
  dialect?: Dialect,
): MultiplexedQuery {
  const { text: printed, slots: parameters } = print(text, dialect)
  const fill: MultiplexedQuery['parameters'] = (members, shared) => {
    let next = 0
    return parameters.map((parameter) =>
      'ofMembers' in parameter ? parameter.ofMembers(members) : (shared[next++] ?? null),
    )
  }
  return {
    text: printed,
    effects,
    slots,
    shared: parameters.filter((parameter): parameter is Value => !('ofMembers' in parameter)),
    parameters: fill,
    inlined(members, shared) {
      const texts = fill(members, shared)
      return printInlined(text, (parameter) => texts[parameters.indexOf(parameter)] ?? null, dialect)
    },
  }
}
