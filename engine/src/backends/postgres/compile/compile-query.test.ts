import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../errors.ts'
import { compileQuery } from './compile-query.ts'
import { all, compare, field, id, table } from './shop.fixture.ts'

/** `id = 1 or id = 2 or …` */
const compiled = (values: number) => {
  const of = Array.from({ length: values }, (_, i) => compare(id, 'eq', i))
  const rows = { ...all, where: { kind: 'or', of } } as const
  return compileQuery(
    { kind: 'rows', from: table('artist'), rows, fields: [field(id)] },
    { stringifyNumericTypes: false, mostJoins: 100_000 },
  )
}

test('a statement of more values than the protocol can count is refused', () => {
  assert.throws(
    () => compiled(65_536),
    (error) =>
      error instanceof ApiError && error.code === 'validation-failed' && error.message.includes('65536 values'),
  )
})
