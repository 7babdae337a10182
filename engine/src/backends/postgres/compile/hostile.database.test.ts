/** Whatever tables, columns, values and paths are called, they stay what they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { BooleanExpression, QualifiedName, RootQuery, Value } from '../../../ir/index.ts'
import { ident, literal, print, sql } from '../../sql.ts'
import { hostileTexts } from '../hostile.fixture.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { compileQuery } from './compile-query.ts'
import { all, column, compare, field, type, value } from './shop.fixture.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(() => client.end())

const textOf = (slot: Value) => (slot.kind === 'constant' ? slot.text : null)

/** Both forms of a statement: with parameters, and inlined for explain. */
async function answers(query: RootQuery): Promise<readonly unknown[]> {
  const compiled = compileQuery(query, { stringifyNumericTypes: false })
  const { rows } = await client.query({ text: compiled.text, values: compiled.slots.map(textOf), rowMode: 'array' })
  const inlined = await client.query({ text: compiled.inlined(textOf), rowMode: 'array' })
  return [rows[0]?.[0], inlined.rows[0]?.[0]]
}

/** PostgreSQL cuts names after 63 bytes; a name cut inside a character would not be found again. */
const asName = (text: string) => {
  let name = text
  while (Buffer.byteLength(name) > 63) name = [...name].slice(0, -1).join('')
  return name
}

test('hostile names of schemas, tables and columns are found, joined, ordered and compared', async () => {
  const names = [...new Set(hostileTexts(60).map(asName))]
  for (const [i, name] of names.entries()) {
    const other = names[(i + 1) % names.length] ?? ''
    const table: QualifiedName = { schema: asName(`${i}${name}`), name }
    const [own, key] = [column(name, type('text')), column(asName(`${i}${other}`), type('int4'))]
    const [schema, from] = [ident(table.schema), sql`${ident(table.schema)}.${ident(table.name)}`]
    const create = sql`CREATE SCHEMA ${schema}; CREATE TABLE ${from} (${ident(own.name)} text, ${ident(key.name)} int primary key);
      INSERT INTO ${from} VALUES (${literal(name)}, 1), ('other', 2)`
    await client.query(print(create).text)
    const join = { table, columns: [{ from: key.name, to: key.name }], unique: true }
    const where: BooleanExpression = {
      kind: 'and',
      of: [compare(own, 'eq', name), { kind: 'exists-related', join, where: compare(own, 'in', [name, null]) }],
    }
    const order = { key: { kind: 'operand', of: own }, direction: 'asc', nulls: 'last' } as const
    const rows = { ...all, where, orderBy: [order], distinctOn: [own] }
    const found = await answers({
      kind: 'rows',
      from: table,
      rows,
      fields: [
        field(own, 'own'),
        { kind: 'object', as: 'object', join, where, fields: [field(key, 'key')] },
        { kind: 'object', as: 'slow', join: { ...join, unique: false }, where, fields: [field(own, 'own')] },
        { kind: 'array', as: 'list', join, rows, fields: [field(own, 'own')] },
      ],
    })
    const row = { own: name, object: { key: 1 }, slow: { own: name }, list: [{ own: name }] }
    assert.deepEqual(found, [[row], [row]])
    await client.query(print(sql`DROP SCHEMA ${schema} CASCADE`).text)
  }
})

test('hostile values are returned as they were sent, as text, json, in lists, arrays and paths', async () => {
  await client.query('CREATE TABLE v (id int primary key, t text, j jsonb, a text[])')
  const id = column('id', type('int4'))
  const texts = hostileTexts(150)
  for (const [i, text] of texts.entries()) {
    await client.query('INSERT INTO v VALUES ($1, $2, $3, $4)', [
      i,
      text,
      JSON.stringify({ [text]: text }),
      arrayLiteral([text, null]),
    ])
    const [t, j, a] = [column('t', type('text')), column('j', type('jsonb')), column('a', type('text', true))]
    const matches: BooleanExpression[] = [
      compare(t, 'eq', text),
      compare(t, 'in', ['none', text]),
      compare(j, 'eq', { [text]: text }),
      compare(j, 'in', [{ [text]: text }]),
      { kind: 'compare', left: j, operator: 'has_key', right: [value(text, type('text'))], nullSafe: false },
      {
        kind: 'compare',
        left: j,
        operator: 'has_keys_all',
        right: [value([text], type('text'), true)],
        nullSafe: false,
      },
      compare(a, 'eq', [text, null]),
      compare(a, 'in', [['x'], [text, null]]),
      compare(a, 'contains', [text]),
    ]
    const fields = [field(t, 'text'), field(j, 'json'), field(j, 'path', [text]), field(a, 'array')]
    const row = { text, json: { [text]: text }, path: text, array: [text, null] }
    const query: RootQuery = {
      kind: 'row',
      from: { schema: 'public', name: 'v' },
      where: { kind: 'and', of: [compare(id, 'eq', i), ...matches] },
      fields,
    }
    assert.deepEqual(await answers(query), [row, row])
  }
})

test('hostile names of enums are cast to', async () => {
  for (const [i, text] of hostileTexts(20).entries()) {
    const mood = { schema: 'public', name: asName(`m${i}${text}`), kind: 'enum', array: false } as const
    const label = asName(text)
    await client.query(
      print(sql`CREATE TYPE ${ident(mood.name)} AS ENUM (${literal(label)}); CREATE TABLE ${ident(`e${i}`)} (m ${ident(mood.name)}, ms ${ident(mood.name)}[]);
      INSERT INTO ${ident(`e${i}`)} VALUES (${literal(label)}, ${literal(arrayLiteral([label]))})`).text,
    )
    const where: BooleanExpression = {
      kind: 'and',
      of: [
        compare(column('m', mood), 'in', [label]),
        compare(column('ms', { ...mood, array: true }), 'contains', [label]),
      ],
    }
    const fields = [field(column('m', mood))]
    const found = await answers({ kind: 'row', from: { schema: 'public', name: `e${i}` }, where, fields })
    assert.deepEqual(found, [{ m: label }, { m: label }])
  }
})
