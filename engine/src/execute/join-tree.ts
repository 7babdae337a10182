import { print } from 'graphql'
import type { Statement } from '../backends/index.ts'
import type { PlannedJoin, PlannedRemoteJoin } from '../graphql/index.ts'

export type PreparedJoin = PlannedJoin<Statement> & {
  /** Joins of the same text have the same values for the same keys. */
  readonly shared: string
  /** Joins of its values. */
  readonly inner: JoinTree | null
}

/** A place of an answer, with the joins of the objects that stand there. */
export interface JoinTree {
  readonly joins: readonly PreparedJoin[]
  /** By response key. */
  readonly below: ReadonlyMap<string, JoinTree>
  /** Members of these objects that are not passed as they are, by the bytes of their names: those of `n` bytes at `n`. */
  readonly members: readonly (readonly JoinMember[] | undefined)[]
}

export interface JoinMember {
  readonly name: Uint8Array
  /** A key of a join, both by their numbers; null: it is none. */
  readonly key: { readonly join: number; readonly number: number } | null
  /** Numbers of the joins whose values stand here. */
  readonly joins: readonly number[]
  readonly below: JoinTree | null
}

const sharedText = (join: PlannedJoin<Statement>): string =>
  join.kind === 'remote' ? callText(join.call) : rowsText(join.rows.source, join.rows.query)

const callText = ({
  merged,
  steps,
  expected: _,
  path: __,
  checked: ___,
  defaults: ____,
  ...call
}: PlannedRemoteJoin): string =>
  JSON.stringify([
    call,
    merged.map(({ value, ...rest }) => [rest, print(value)]),
    steps.map(({ fixed, ...step }) => [step, fixed.map(({ given, ...rest }) => [rest, given && print(given)])]),
  ])

/** The place of a value in the document does not matter. */
const rowsText = (source: string, { text, slots }: Statement): string =>
  JSON.stringify([source, text, slots.map((slot) => (slot.kind === 'variable' ? { ...slot, path: null } : slot))])

/** Null: there are none. */
export function joinTree(joins: readonly PlannedJoin<Statement>[], depth = 0): JoinTree | null {
  if (joins.length === 0) return null
  const inside = Map.groupBy(
    joins.filter(({ place }) => place.length > depth + 1),
    ({ place }) => place[depth] ?? '',
  )
  const below = new Map<string, JoinTree>()
  for (const [key, inner] of inside) {
    const tree = joinTree(inner, depth + 1)
    if (tree) below.set(key, tree)
  }
  const here = joins
    .filter(({ place }) => place.length === depth + 1)
    .map((join) => ({ ...join, shared: sharedText(join), inner: below.get(join.place[depth] ?? '') ?? null }))
  return { joins: here, below, members: membersOf(here, below) }
}

function membersOf(joins: readonly PreparedJoin[], below: ReadonlyMap<string, JoinTree>): JoinTree['members'] {
  const places = new Map<string, number[]>([...below.keys()].map((name) => [name, []]))
  for (const [i, { place }] of joins.entries()) {
    const name = place.at(-1) ?? ''
    places.set(name, [...(places.get(name) ?? []), i])
  }
  const all: readonly JoinMember[] = [
    ...[...places].map(([name, numbers]) => ({
      name: Buffer.from(name),
      key: null,
      joins: numbers,
      below: below.get(name) ?? null,
    })),
    ...joins.flatMap(({ keys }, i) =>
      keys.map((name, at) => ({ name: Buffer.from(name), key: { join: i, number: at }, joins: [], below: null })),
    ),
  ]
  const byLength: JoinMember[][] = []
  for (const member of all) {
    const list = byLength[member.name.length] ?? []
    byLength[member.name.length] = list
    list.push(member)
  }
  return byLength
}
