/** What each session may see of the table `note` in each round and under each permission: a function, no database. */

export const owners = 6
const teams = 2
const notes = 60

/** Permissions of the roles `owner` and `team`: all of their rows, or those of the first half. */
export type Variant = 'all' | 'half'

export interface Person {
  readonly role: 'owner' | 'team' | 'either' | 'auditor' | 'admin'
  /** X-Svc-Owner and X-Svc-Team, whether or not the role looks at them. */
  readonly owner: number
  readonly team: number
}

interface Row {
  readonly id: number
  readonly owner: number
  readonly team: number
  readonly v: number
}

/** One of each kind, and of some two who differ in a variable that their role does not look at. */
export const people: readonly Person[] = [
  ...Array.from({ length: owners }, (_, owner) => ({ role: 'owner' as const, owner, team: owner % teams })),
  { role: 'owner', owner: 1, team: 0 },
  { role: 'team', owner: 1, team: 0 },
  { role: 'team', owner: 0, team: 1 },
  { role: 'either', owner: 2, team: 1 },
  { role: 'either', owner: 3, team: 0 },
  { role: 'auditor', owner: 4, team: 1 },
  { role: 'admin', owner: 5, team: 0 },
]

export const headersOf = ({ role, owner, team }: Person): Readonly<Record<string, string>> => ({
  'x-svc-role': role,
  'x-svc-owner': String(owner),
  'x-svc-team': String(team),
})

/** The statement that makes a round of the one before; each row has its number, so that an answer says of which it is. */
export const advance = `UPDATE note SET v = $1, owner = (id + $1) % ${owners}, team = (id / 3 + $1) % ${teams}`
export const createNotes = `CREATE TABLE note (id integer PRIMARY KEY, owner integer, team integer, v integer);
  INSERT INTO note SELECT n, n % ${owners}, n / 3 % ${teams}, 0 FROM generate_series(1, ${notes}) n;
  CREATE TABLE entry (id bigint PRIMARY KEY, owner integer, v integer)`

export const limitOfAuditors = 25

function visible({ role, owner, team }: Person, round: number, variant: Variant): readonly Row[] {
  const rows = Array.from({ length: notes }, (_, i) => i + 1).map((id) => ({
    id,
    owner: (id + round) % owners,
    team: (Math.floor(id / 3) + round) % teams,
    v: round,
  }))
  const may = (row: Row): boolean => {
    const isInHalf = variant === 'all' || row.id <= notes / 2
    switch (role) {
      case 'owner':
        return row.owner === owner && isInHalf
      case 'team':
        return row.team === team && isInHalf
      case 'either':
        return (row.owner === owner || row.team === team) && isInHalf
      case 'auditor':
      case 'admin':
        return true
    }
  }
  return rows.filter(may)
}

/** Root fields with `$least`, which is at most 20, so that no answer is empty. */
export const selections = [
  'note(order_by: {id: asc}) { id owner team v }',
  'note(where: {id: {_gte: $least}}, order_by: {id: desc}, limit: 7) { id owner team v }',
  'note_aggregate(where: {id: {_gte: $least}}) { aggregate { count max { v } } }',
] as const

export const mostLeast = 20

/** The answer to `selections[selection]`, as JSON. */
export function expected(person: Person, selection: number, least: number, round: number, variant: Variant): string {
  const rows = visible(person, round, variant)
  const limited = (list: readonly Row[]) => (person.role === 'auditor' ? list.slice(0, limitOfAuditors) : list)
  const later = rows.filter(({ id }) => id >= least)
  if (selection === 0) return JSON.stringify({ note: limited(rows) })
  if (selection === 1) return JSON.stringify({ note: limited([...later].reverse()).slice(0, 7) })
  return JSON.stringify({ note_aggregate: { aggregate: { count: later.length, max: { v: round } } } })
}

/** Of which round an answer is. */
export function roundOf(data: Readonly<Record<string, unknown>>): number {
  const { note, note_aggregate: aggregate } = data as {
    readonly note?: readonly Row[]
    readonly note_aggregate?: { readonly aggregate: { readonly max: { readonly v: number } } }
  }
  return note?.[0]?.v ?? aggregate?.aggregate.max.v ?? Number.NaN
}
