import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../../long-work.ts'
import type { AnswerShape, MemberShape, ScalarShape } from '../statement-shape.ts'
import { assembleRows } from './assemble-rows.ts'
import type { ResultRow, ResultValue } from './result-rows.ts'

const scalar = (key: string, type: ScalarShape = 'text', list = false): MemberShape => ({
  key,
  of: { kind: 'scalar', type, list },
})

const row = (...values: readonly ResultValue[]): ResultRow => ({ f: values.map((v) => ({ v })) })
const list = (...values: readonly ResultValue[]): ResultValue => values.map((v) => ({ v }))

function answer(shape: AnswerShape, ...pages: readonly (readonly ResultRow[])[]): string {
  const assembler = assembleRows(shape)
  for (const page of pages) finish(assembler.add(page))
  return assembler.finish().toString()
}

test('numbers are strings, booleans booleans, JSON is JSON, and a timestamp is a time', () => {
  const members = [
    scalar('n'),
    scalar('b', 'boolean'),
    scalar('t', 'timestamp'),
    scalar('j', 'json'),
    scalar('l', 'text', true),
  ]
  const values = row('9007199254740993', 'true', '1.2301902E9', '{"a":[1]}', list('NaN', '-Infinity', null))
  assert.equal(
    answer({ kind: 'rows', members }, [values, row(null, null, null, null, null)]),
    '[{"n":"9007199254740993","b":true,"t":"2008-12-25T07:30:00Z","j":{"a":[1]},"l":["NaN","-Infinity",null]},' +
      '{"n":null,"b":null,"t":null,"j":null,"l":[]}]',
  )
})

test('a timestamp has all its digits, before 1970 too, however it is written', () => {
  const timeOf = (text: string) =>
    JSON.parse(answer({ kind: 'row', members: [scalar('t', 'timestamp')] }, [row(text)])).t
  assert.deepEqual(
    ['1.230190200123456E9', '1230190200.500000', '0', '-0.5', '-1.5E0', '1.5E-3', '2008-12-25 07:30:00.25+00'].map(
      timeOf,
    ),
    [
      '2008-12-25T07:30:00.123456Z',
      '2008-12-25T07:30:00.5Z',
      '1970-01-01T00:00:00Z',
      '1969-12-31T23:59:59.5Z',
      '1969-12-31T23:59:58.5Z',
      '1970-01-01T00:00:00.0015Z',
      '2008-12-25T07:30:00.25Z',
    ],
  )
})

test('an object without a match is null, a list without rows is empty, an aggregate of no rows counts nothing', () => {
  const members: readonly MemberShape[] = [
    { key: 'object', of: { kind: 'object', members: [scalar('a')], absent: 'null' } },
    { key: '__typename', of: { kind: 'typename', name: 'T' } },
    { key: 'list', of: { kind: 'list', members: [scalar('a')] } },
    { key: 'sum', of: { kind: 'object', members: [scalar('count')], absent: '{"count":"0"}' } },
  ]
  assert.equal(
    answer({ kind: 'rows', members }, [row(row('x'), list(row('y'), row(null)), row('2'))], [row(null, null, null)]),
    '[{"object":{"a":"x"},"__typename":"T","list":[{"a":"y"},{"a":null}],"sum":{"count":"2"}},' +
      '{"object":null,"__typename":"T","list":[],"sum":{"count":"0"}}]',
  )
})

test('of no rows a list is empty and a row is null; bytes are counted as pages come', () => {
  const members = [scalar('a')]
  assert.equal(answer({ kind: 'rows', members }), '[]')
  assert.equal(answer({ kind: 'row', members }), 'null')
  const assembler = assembleRows({ kind: 'rows', members })
  finish(assembler.add([row('é')]))
  assert.equal(assembler.bytes, Buffer.byteLength('{"a":"é"}'))
})

test('a page of many rows is assembled in pieces', () => {
  const page = Array.from({ length: 1000 }, (_, i) => row(String(i)))
  const steps = [...assembleRows({ kind: 'rows', members: [scalar('a')] }).add(page)]
  assert.ok(steps.length > 10)
  assert.equal(
    steps.reduce((sum, rows) => sum + rows, 0),
    1000,
  )
})
