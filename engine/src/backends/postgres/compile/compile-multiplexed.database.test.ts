import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import {
  always,
  type BooleanExpression,
  type Operand,
  type RootQuery,
  type StreamQuery,
  type Value,
} from '../../../ir/index.ts'
import type { MultiplexedRoot } from '../../backend.ts'
import { compileMultiplexed } from './compile-multiplexed.ts'
import { all, field, id, name, shopSql, table, title, type, year } from './shop.fixture.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(shopSql)
})
after(() => client.end())

const int = { type: type('int4'), list: false }
const text = { type: type('text'), list: false }
const literal = (of: string | null, valueType = text): Value => ({
  kind: 'constant',
  text: of,
  type: valueType,
  literal: true,
})
const session = (variable: string, valueType = int): Value => ({ kind: 'session', variable, type: valueType })
const equals = (left: Operand, right: Value): BooleanExpression => ({
  kind: 'compare',
  left,
  operator: 'eq',
  right: [right],
  nullSafe: false,
})
const row = (where: BooleanExpression, of = name): MultiplexedRoot => ({
  kind: 'query',
  query: { kind: 'row', from: table(of === name ? 'artist' : 'album'), where, fields: [field(of)] },
})
const rows = (where: BooleanExpression): RootQuery => ({
  kind: 'rows',
  from: table('artist'),
  rows: { ...all, where },
  fields: [field(id)],
})

type Members = readonly (readonly (string | null)[])[]

/** What each member gets; explain's form has to give the same. */
async function answers(roots: readonly MultiplexedRoot[], members: Members, shared: readonly string[] = []) {
  const compiled = compileMultiplexed(roots, { stringifyNumericTypes: false })
  const run = async (statement: string, values: readonly (string | null)[]) => {
    const { rows: found } = await client.query({ text: statement, values: [...values], rowMode: 'array' })
    return found.sort(([a], [b]) => a - b).map(([, ...columns]) => columns)
  }
  const result = await run(compiled.text, compiled.parameters(members, shared))
  assert.deepEqual(await run(compiled.inlined(members, shared), []), result)
  return result
}

test('each member gets the answer to its own values, whatever is in them; nothing is null', async () => {
  const where = equals(name, session('x-svc-name', text))
  await client.query(`INSERT INTO artist VALUES (50, 'a,"b\\{}''', NULL)`)
  assert.deepEqual(await answers([row(where)], [['Ann'], ['nobody'], [null], ['a,"b\\{}\''], ['Bob']]), [
    [{ name: 'Ann' }],
    [null],
    [null],
    [{ name: 'a,"b\\{}\'' }],
    [{ name: 'Bob' }],
  ])
})

test('several roots are columns; values of one session variable are one, literals are each their own', async () => {
  const roots = [
    row(equals(id, session('x-svc-id'))),
    row(equals(id, literal('10', int)), title),
    row({ kind: 'or', of: [equals(id, session('x-svc-id')), equals(name, literal('10'))] }),
  ]
  const { slots } = compileMultiplexed(roots, { stringifyNumericTypes: false })
  assert.deepEqual(
    slots.map((slot) => (slot.kind === 'session' ? slot.variable : 'text' in slot && slot.text)),
    ['x-svc-id', '10', '10'],
  )
  assert.deepEqual(
    await answers(roots, [
      ['1', '10', 'x'],
      ['9', '11', 'Bob'],
    ]),
    [
      [{ name: 'Ann' }, { title: 'First' }, { name: 'Ann' }],
      [null, { title: 'Second' }, { name: 'Bob' }],
    ],
  )
})

test('what metadata says is the same for all, and no value of a member', async () => {
  const constant: Value = { kind: 'constant', text: 'Ann', type: text }
  const roots = [row({ kind: 'and', of: [equals(name, constant), equals(id, session('x-svc-id'))] })]
  const { slots, shared } = compileMultiplexed(roots, { stringifyNumericTypes: false })
  assert.deepEqual([slots.length, shared], [1, [constant]])
  assert.deepEqual(await answers(roots, [['1'], ['2']], ['Ann']), [[{ name: 'Ann' }], [null]])
})

test('a list of values is one, and limits may be members own', async () => {
  const list: Value = {
    kind: 'variable',
    variable: 'ids',
    keys: [],
    type: { type: type('int4'), list: true },
    path: [],
  }
  const limit: Value = { kind: 'variable', variable: 'n', keys: [], type: int, path: [] }
  const where: BooleanExpression = { kind: 'compare', left: id, operator: 'in', right: [list], nullSafe: false }
  const query: RootQuery = { kind: 'rows', from: table('artist'), rows: { ...all, where, limit }, fields: [field(id)] }
  const [first, second] = await answers(
    [{ kind: 'query', query }],
    [
      ['{1,2,3}', '2'],
      ['{3}', '5'],
    ],
  )
  assert.equal(first?.[0].length, 2)
  assert.deepEqual(second, [[{ id: 3 }]])
})

test('a stream gives the text of the cursor that the next batch begins behind, null when it is empty', async () => {
  const stream = (direction: 'asc' | 'desc', of = year): StreamQuery => ({
    from: table('album'),
    where: always,
    cursor: { of, direction, initial: literal('0', int) },
    batchSize: literal('2', int),
    permissionLimit: null,
    fields: [field(title), field(year)],
  })
  const titles = (answer: readonly unknown[]) => [
    (answer[0] as { title: string }[]).map(({ title: one }) => one),
    answer[1],
  ]
  // a literal batch size stands in the statement, since the planner is to know it
  const ascending = await answers([{ kind: 'stream', query: stream('asc') }], [['0'], ['1995'], ['2000'], [null]])
  assert.deepEqual(ascending.map(titles), [
    [['First', 'Third'], '1995'],
    [['Second'], '2000'],
    [[], null],
    [[], null],
  ])
  const descending = await answers([{ kind: 'stream', query: stream('desc') }], [['9999'], ['2000']])
  assert.deepEqual(descending.map(titles), [
    [['Second', 'Third'], '1995'],
    [['Third', 'First'], '1990'],
  ])
})

test('more values than columns are possible are refused', () => {
  const many = Array.from({ length: 1501 }, (_, i) => equals(id, literal(String(i), int)))
  assert.throws(
    () =>
      compileMultiplexed([{ kind: 'query', query: rows({ kind: 'or', of: many }) }], { stringifyNumericTypes: false }),
    {
      code: 'validation-failed',
    },
  )
})
