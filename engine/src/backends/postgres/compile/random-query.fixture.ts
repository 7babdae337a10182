/** Queries of any shape over the shop within the bounds of a request, made of a list of numbers: those that cost the planner most can be varied. */
import {
  always,
  type BooleanExpression,
  type Join,
  type OrderBy,
  type RootQuery,
  type RowField,
} from '../../../ir/index.ts'
import {
  albumOfTrack,
  albumsOfArtist,
  all,
  artistOfAlbum,
  compare,
  count,
  field,
  id,
  table,
  tracksOfAlbum,
} from './shop.fixture.ts'

type Table = 'artist' | 'album' | 'track'

const related: Readonly<Record<Table, readonly (readonly [Join, Table])[]>> = {
  artist: [[albumsOfArtist, 'album']],
  album: [
    [artistOfAlbum, 'artist'],
    [tracksOfAlbum, 'track'],
  ],
  track: [[albumOfTrack, 'album']],
}

/** As a permission has it: the same value wherever the table is reached. */
const filters: Readonly<Record<Table, BooleanExpression>> = {
  artist: { kind: 'rooted', of: { kind: 'exists-related', join: albumsOfArtist, where: compare(id, 'gt', 1) } },
  album: always,
  track: {
    kind: 'rooted',
    of: {
      kind: 'exists-related',
      join: albumOfTrack,
      where: { kind: 'exists-related', join: artistOfAlbum, where: compare(id, 'gt', 0) },
    },
  },
}

const MOST_NODES = 20_000
const MOST_DEPTH = 190
const LENGTHS = [1, 2, 3, 9, 40, 300, 1000]

/** The genes are read in turn, over and over. */
export function queryOf(genes: readonly number[]): RootQuery {
  let at = 0
  let nodes = 0
  const choose = (n: number): number => (genes[at++ % genes.length] ?? 0) % n
  const pick = <T>(of: readonly [T, ...T[]] | readonly T[]): T => of[choose(of.length)] as T
  const many = <T>(depth: number, make: () => T): readonly T[] => {
    const parts: T[] = []
    for (let left = pick(LENGTHS); left > 0 && nodes < MOST_NODES && depth < MOST_DEPTH; left--) parts.push(make())
    return parts
  }
  const filtered = (to: Table, where: BooleanExpression): BooleanExpression => {
    const own = filters[to]
    return own === always ? where : { kind: 'and', of: [own, where] }
  }
  const where = (of: Table, depth: number): BooleanExpression => {
    nodes += 1
    if (nodes > MOST_NODES || depth > MOST_DEPTH) return compare(id, 'eq', 1)
    switch (choose(8)) {
      case 0:
        return { kind: 'and', of: many(depth, () => where(of, depth + 1)) }
      case 1:
        return { kind: 'or', of: many(depth, () => where(of, depth + 1)) }
      case 2:
        return { kind: 'not', of: where(of, depth + 1) }
      case 3:
        return { kind: 'exists', table: table(of), where: where(of, depth + 1) }
      case 4:
      case 5:
      case 6: {
        const [join, to] = pick(related[of])
        return { kind: 'exists-related', join, where: filtered(to, where(to, depth + 1)) }
      }
      default:
        return compare(id, pick(['eq', 'gt']), choose(100))
    }
  }
  const order = (of: Table): OrderBy => {
    nodes += 1
    const [join, to] = pick(related[of])
    const key = { kind: 'operand', of: id } as const
    return {
      key: choose(2) === 0 ? key : { kind: 'related', join, filter: filters[to], key },
      direction: 'asc',
      nulls: 'last',
    }
  }
  const rows = (of: Table, depth: number) => ({
    ...all,
    where: choose(2) === 0 ? filters[of] : filtered(of, where(of, depth + 1)),
    orderBy: choose(3) === 0 ? many(depth, () => order(of)) : [],
    limit: choose(2) === 0 ? count(5) : null,
  })
  const fields = (of: Table, depth: number): readonly RowField[] => {
    const made = many(depth, (): RowField => {
      nodes += 1
      const as = `f${nodes}`
      if (choose(3) === 0 || depth > MOST_DEPTH) return field(id, as)
      const [join, to] = pick(related[of])
      if (join.unique) return { kind: 'object', as, join, where: filters[to], fields: fields(to, depth + 1) }
      return { kind: 'array', as, join, rows: rows(to, depth + 1), fields: fields(to, depth + 1) }
    })
    return made.length === 0 ? [field(id)] : made
  }
  const from = pick(['artist', 'album', 'track'] as const)
  return { kind: 'rows', from: table(from), rows: rows(from, 0), fields: fields(from, 0) }
}
