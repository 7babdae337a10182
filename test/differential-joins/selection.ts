import type { Random } from './random.ts'
import { type Column, columns, isDatabase, type Relationship, type Source, type Table } from './tables.ts'

/** A selection set, printed for the engine and walked by the oracle. */
export type Selected =
  | { readonly kind: 'column'; readonly as: string; readonly column: Column }
  | {
      readonly kind: 'rows' | 'count'
      readonly as: string
      readonly relationship: Relationship
      readonly args: Args
      readonly inside: readonly Selected[]
    }

export interface Args {
  readonly graphql: readonly string[]
  /** The same of the remote schema's lists. */
  readonly remote: readonly string[]
  readonly where: string
  readonly holds: (id: number) => boolean
  readonly limit: number | null
  readonly offset: number
  readonly descending: boolean
}

export function randomArgs(random: Random): Args {
  const conditions: readonly (readonly [string, string, string, (id: number) => boolean])[] = [
    ['', '', 'true', () => true],
    ['', '', 'true', () => true],
    ['where: {id: {_gt: 1}}', 'above: 1', 'id > 1', (id) => id > 1],
    ['where: {id: {_in: [0, 2, 4, 6]}}', 'among: [0, 2, 4, 6]', 'id IN (0, 2, 4, 6)', (id) => id % 2 === 0 && id < 8],
  ]
  const [graphql, remote, where, holds] = conditions[random(conditions.length)] ?? ['', '', 'true', () => true]
  const descending = random(2) === 0
  const limit = random(3) === 0 ? 1 + random(3) : null
  const offset = random(4) === 0 ? 1 : 0
  const order = `order_by: {id: ${descending ? 'desc' : 'asc'}}`
  const page = [limit === null ? '' : `limit: ${limit}`, offset === 0 ? '' : `offset: ${offset}`]
  const given = (parts: readonly string[]) => parts.filter((part) => part !== '')
  return {
    graphql: given([graphql, order, ...page]),
    remote: given([remote, descending ? 'down: true' : '', ...page]),
    where,
    holds,
    limit,
    offset,
    descending,
  }
}

export const plainArgs: Args = { graphql: [], remote: [], where: 'true', holds: () => true, limit: null, offset: 0, descending: false } // biome-ignore format: one line

export function randomSelection(random: Random, table: Table, isAdmin: boolean, depth: number): readonly Selected[] {
  const shown = isAdmin ? columns : (table.permission?.columns ?? [])
  const selected: Selected[] = shown
    .filter(() => random(2) === 0)
    .map((column, i) => ({ kind: 'column', as: random(4) === 0 ? `c${i}` : column, column }))
  for (const relationship of table.relationships) {
    const { target, name, form } = relationship
    if ((!isAdmin && !target.permission) || depth === 0 || random(3) === 0) continue
    for (let copy = 0; copy <= random(2); copy++) {
      const args = form === 'array' ? randomArgs(random) : plainArgs
      const canCount = form === 'array' && isDatabase(target.source) && (isAdmin || target.permission?.aggregates)
      if (canCount && random(3) === 0) selected.push({ kind: 'count', as: `${name}n${copy}`, relationship, args: { ...plainArgs, where: args.where, holds: args.holds, graphql: args.graphql.filter((one) => one.startsWith('where')) }, inside: [] }) // biome-ignore format: one line
      else selected.push({ kind: 'rows', as: `${name}x${copy}`, relationship, args, inside: randomSelection(random, target, isAdmin, depth - 1) }) // biome-ignore format: one line
    }
  }
  for (let i = selected.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const [one, other] = [selected[i], selected[j]]
    if (one && other) [selected[i], selected[j]] = [other, one]
  }
  return selected.length > 0 ? selected : [{ kind: 'column', as: 'id', column: 'id' }]
}

export function print(selected: readonly Selected[]): string {
  const fields = selected.map((one) => {
    if (one.kind === 'column') return one.as === one.column ? one.column : `${one.as}: ${one.column}`
    const args = printArgs(one.args, one.relationship.target.source)
    return one.kind === 'count'
      ? `${one.as}: ${one.relationship.name}_aggregate${args} { aggregate { count } }`
      : `${one.as}: ${one.relationship.name}${args} ${print(one.inside)}`
  })
  return `{ ${fields.join(' ')} }`
}

export const printArgs = ({ graphql, remote }: Args, source: Source): string => {
  const parts = isDatabase(source) ? graphql : remote
  return parts.length > 0 ? `(${parts.join(', ')})` : ''
}
