/** Random pairs of conditions, compared and then asked of a database: a comparison must not say more than is true. */
import assert from 'node:assert/strict'
import type { Json, JsonObject } from '@svc/schema'
import pg from 'pg'
import { type Random, seededRandom } from '../../test/admin/random.ts'
import { compileQuery } from '../src/backends/postgres/compile/compile-query.ts'
import { all } from '../src/backends/postgres/compile/shop.fixture.ts'
import { Path } from '../src/errors.ts'
import type { BooleanExpression, Value } from '../src/ir/index.ts'
import { type Model, resolveWhere, updateModel } from '../src/model/index.ts'
import { inputOf } from '../src/model/music.fixture.ts'
import { type ConditionChange, compareConditions } from '../src/preview/conditions/compare-conditions.ts'

/** Compares `count` pairs on rows with many nulls and equal values. Throws with the seed. */
export async function checkConditions(
  url: string,
  seed: number,
  count: number,
): Promise<Record<ConditionChange, number>> {
  const random = seededRandom(seed)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(schema)
    for (let id = 1; id <= 20; id++) await client.query(insertTeam, teamRow(random, id))
    for (let id = 1; id <= 120; id++) await client.query(insertPerson, personRow(random, id))
    const model = updateModel(null, inputOf(metadata, sketches))
    assert.deepEqual([...model.inconsistencies.values()], [])
    const tally = { same: 0, wider: 0, narrower: 0, changed: 0 }
    for (let i = 0; i < count; i++) {
      const before = randomCondition(random, 2)
      const after = edited(before, random)
      const pair = [before, after].map((where) => conditionOf(model, where)) as [BooleanExpression, BooleanExpression]
      const said = compareConditions(...pair)
      const [old, now] = await Promise.all(pair.map((where) => rowsWhere(client, where)))
      const text = `seed ${seed}, pair ${i}: ${said}\n${JSON.stringify(before)}\n${JSON.stringify(after)}`
      if (said === 'same' || said === 'wider') assert.ok(isWithin(old, now), text)
      if (said === 'same' || said === 'narrower') assert.ok(isWithin(now, old), text)
      tally[said]++
    }
    return tally
  } finally {
    await client.end()
  }
}

const schema = `
CREATE TABLE team (id int PRIMARY KEY, city text, size int);
CREATE TABLE person (id int PRIMARY KEY, name text, status text, age int, score numeric, born date, active bool,
  boss_id int, team_id int REFERENCES team);`
const insertTeam = 'INSERT INTO team VALUES ($1, $2, $3)'
const insertPerson = 'INSERT INTO person VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)'

const sketches = {
  team: { columns: { id: 'int4 not null', city: 'text', size: 'int4' }, key: ['id'] },
  person: {
    columns: {
      id: 'int4 not null',
      name: 'text',
      status: 'text',
      age: 'int4',
      score: 'numeric',
      born: 'date',
      active: 'bool',
      boss_id: 'int4',
      team_id: 'int4',
    },
    key: ['id'],
    references: { team_id: 'team:id' },
  },
}
const metadata: readonly JsonObject[] = [
  {
    table: 'team',
    array_relationships: [
      { name: 'people', using: { foreign_key_constraint_on: { table: 'person', column: 'team_id' } } },
    ],
  },
  { table: 'person', object_relationships: [{ name: 'team', using: { foreign_key_constraint_on: 'team_id' } }] },
]

const values: Readonly<Record<string, readonly Json[]>> = {
  name: ['ann', 'bob', 'cleo', 'Ann'],
  status: ['new', 'open', 'done'],
  age: [1, 2, 3, 4, 5],
  score: [0.5, 1, 1.5, 2],
  born: ['2000-01-01', '2000-02-01', '2001-01-01'],
  active: [true, false],
  city: ['bonn', 'kiel', 'ulm'],
  size: [1, 2, 3],
}
const session: Readonly<Record<string, string>> = { 'x-svc-user-id': '2', 'x-svc-ids': '{1,3}', 'x-svc-name': 'ann' }

const orNull = (random: Random, column: string): Json =>
  random.chance(0.25) ? null : random.pick(values[column] ?? [])

const teamRow = (random: Random, id: number) => [id, orNull(random, 'city'), orNull(random, 'size')]
const personRow = (random: Random, id: number) => [
  id,
  ...['name', 'status', 'age', 'score', 'born', 'active'].map((column) => orNull(random, column)),
  random.chance(0.3) ? null : random.pick([1, 2, 3]),
  random.chance(0.3) ? null : 1 + random.below(20),
]

function conditionOf(model: Model, where: JsonObject): BooleanExpression {
  const table = model.tables.get('default/public.person')
  if (!table) throw new Error('no such table')
  return resolveWhere(model, table, where, Path.root)
}

const isWithin = (some: ReadonlySet<number> = new Set(), all: ReadonlySet<number> = new Set()): boolean =>
  [...some].every((id) => all.has(id))

async function rowsWhere(client: pg.Client, where: BooleanExpression): Promise<ReadonlySet<number>> {
  const column = { kind: 'column', of: 'row', name: 'id', type: idType } as const
  const fields = [{ kind: 'column', as: 'id', of: column, path: [] }] as const
  const from = { schema: 'public', name: 'person' }
  const rows = { ...all, where: { kind: 'rooted', of: where } } as const
  const { text, slots } = compileQuery({ kind: 'rows', from, rows, fields }, { stringifyNumericTypes: false })
  const answer = await client.query({ text, values: slots.map(textOf), rowMode: 'array' })
  const found = (answer.rows[0]?.[0] ?? []) as readonly { readonly id: number }[]
  return new Set(found.map(({ id }) => id))
}

const idType = { schema: 'pg_catalog', name: 'int4', kind: 'base', array: false } as const
const textOf = (slot: Value): string | null =>
  slot.kind === 'constant' ? slot.text : slot.kind === 'session' ? (session[slot.variable] ?? null) : null

function randomCondition(random: Random, depth: number): JsonObject {
  if (depth === 0 || random.chance(0.4)) return randomLeaf(random)
  const inner = () => randomCondition(random, depth - 1)
  switch (random.below(6)) {
    case 0:
      return { _or: [inner(), inner()] }
    case 1:
      return { _not: inner() }
    case 2:
      return { team: teamCondition(random) }
    case 3:
      return { _exists: { _table: { schema: 'public', name: 'team' }, _where: teamCondition(random) } }
    default:
      return { _and: [inner(), inner()] }
  }
}

const teamCondition = (random: Random): JsonObject =>
  random.chance(0.2)
    ? { people: randomLeaf(random) }
    : random.chance(0.3)
      ? { _or: [comparison(random, 'city'), comparison(random, 'size')] }
      : comparison(random, random.pick(['city', 'size']))

function randomLeaf(random: Random): JsonObject {
  switch (random.below(8)) {
    case 0:
      return { boss_id: random.pick<JsonObject>([{ _eq: 'X-Svc-User-Id' }, { _in: 'X-Svc-Ids' }, { _neq: 2 }]) }
    case 1:
      return { boss_id: { [random.pick(['_ceq', '_cgt', '_cne', '_clte'])]: random.pick(['id', 'age', 'team_id']) } }
    case 2:
      return { name: random.pick<JsonObject>([{ _eq: 'X-Svc-Name' }, { _like: 'a%' }, { _nlike: 'a%' }]) }
    default:
      return comparison(random, random.pick(['name', 'status', 'age', 'score', 'born', 'active']))
  }
}

function comparison(random: Random, column: string): JsonObject {
  const value = () => random.pick(values[column] ?? [])
  const some = () => Array.from({ length: random.below(4) }, value)
  return {
    [column]: random.pick<JsonObject>([
      { _eq: value() },
      { _eq: value() },
      { _neq: value() },
      { _in: some() },
      { _in: some() },
      { _nin: some() },
      { _is_null: random.chance(0.5) },
      { _gt: value() },
      { _gte: value() },
      { _lt: value() },
      { _gte: value(), _lt: value() },
    ]),
  }
}

/** Changes a filter as a user might: mostly a condition more or less, or another value. */
function edited(where: JsonObject, random: Random): JsonObject {
  const other = () => randomLeaf(random)
  switch (random.below(11)) {
    case 0:
    case 1:
      return { _and: [where, other()] }
    case 2:
    case 3:
      return { _or: [other(), where] }
    case 4:
      return random.chance(0.5) ? {} : { _and: [{ _not: { _not: where } }] }
    case 5:
      return randomCondition(random, 1)
    case 6:
      return { _not: { _or: [{ _not: where }, other()] } }
    default:
      return editedInside(where, random) as JsonObject
  }
}

/** One comparison more lenient, stricter or turned round. */
function editedInside(json: Json, random: Random): Json {
  if (Array.isArray(json)) {
    const at = random.below(json.length)
    if (json.length > 1 && random.chance(0.3)) return json.filter((_, i) => i !== at)
    return json.map((part, i) => (i === at ? editedInside(part, random) : part))
  }
  if (typeof json !== 'object' || json === null) return json
  const [entry] = Object.entries(json)
  if (!entry) return json
  const [key, value] = entry
  const list = Array.isArray(value) ? value : []
  switch (key) {
    case '_exists':
      return { [key]: { ...(value as JsonObject), _where: editedInside((value as JsonObject)._where ?? {}, random) } }
    case '_eq':
      return typeof value === 'string' && value.startsWith('X-')
        ? { _is_null: false }
        : { _in: [value ?? 0, value ?? 0] }
    case '_neq':
      return random.pick<JsonObject>([{ _nin: [value ?? 0] }, { _is_null: false }])
    case '_in':
    case '_nin':
      return typeof value === 'string' ? { _is_null: false } : { [key]: list.slice(random.below(2)) }
    case '_gt':
      return { _gte: value ?? 0 }
    case '_gte':
      return random.pick<JsonObject>([{ _gt: value ?? 0 }, { _is_null: false }])
    case '_lt':
      return { _lte: value ?? 0 }
    case '_cgt':
      return { _cgte: value ?? 0 }
    case '_is_null':
      return { _is_null: value === false }
    case '_like':
    case '_nlike':
      return { _is_null: false }
    case '_or':
      return { _or: random.chance(0.4) ? [...list, oneMore(list, random)] : editedInside(list, random) }
    default:
      return { ...json, [key]: editedInside(value ?? {}, random) }
  }
}

/** Another alternative, of a column of the same table. */
function oneMore([first]: readonly Json[], random: Random): Json {
  const [column] = Object.keys((first ?? {}) as JsonObject).filter((name) => name in values)
  return column === undefined ? { _not: first ?? {} } : comparison(random, column)
}
