import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, Path } from '../../../errors.ts'
import { coerceConstant } from './coerce-constant.ts'
import { builtIn } from './known-types.ts'

const path = Path.root.at('filter')

/** The message, and where. Null: accepted. */
function problem(name: string, json: unknown, { list = false, array = false } = {}): string | null {
  try {
    coerceConstant({ type: builtIn(name, array), list }, json, path)
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'parse-failed')
    return `${error.message} at ${error.path}`
  }
}

test('a text that PostgreSQL reads as the number or boolean of the column is accepted', () => {
  const accepted: Readonly<Record<string, readonly unknown[]>> = {
    int2: ['-32768', ' 5 ', '+7'],
    int4: [5, '2147483647', '-2147483648', '0x1F', '1_000'],
    int8: ['9223372036854775807'],
    numeric: ['1.5', '.5', '5.', '-1e21', 'NaN', 'Infinity', 10n ** 30n],
    float8: ['-inf', '1E-7', 1.5],
    bool: [true, 'true', 'T', 'yes', 'off', '0'],
    money: ['$1,000.00'],
    text: ['many'],
    date: ['someday'],
    jsonb: ['many', { a: 1 }],
  }
  for (const [name, values] of Object.entries(accepted))
    for (const value of values) assert.equal(problem(name, value), null, `${name} ${value}`)
})

test('a text that no column of the type can hold is refused in the words of PostgreSQL', () => {
  assert.equal(problem('int4', 'many'), 'invalid input syntax for type integer: "many" at $.filter')
  assert.equal(problem('int4', ''), 'invalid input syntax for type integer: "" at $.filter')
  assert.equal(problem('int4', '1.5'), 'invalid input syntax for type integer: "1.5" at $.filter')
  assert.equal(problem('int2', '32768'), 'value "32768" is out of range for type smallint at $.filter')
  assert.match(problem('int8', '-9223372036854775809') ?? '', /out of range for type bigint/)
  assert.equal(problem('float8', 'much'), 'invalid input syntax for type double precision: "much" at $.filter')
  assert.equal(problem('numeric', '1,5'), 'invalid input syntax for type numeric: "1,5" at $.filter')
  assert.equal(problem('bool', 'o'), 'invalid input syntax for type boolean: "o" at $.filter')
})

test('members of lists and of arrays are checked one by one, the text of an array is not', () => {
  const at = 'invalid input syntax for type integer: "x"'
  assert.equal(problem('int4', [1, null, 'x'], { list: true }), `${at} at $.filter[2]`)
  assert.equal(problem('int4', [1, 'x'], { array: true }), `${at} at $.filter[1]`)
  assert.equal(problem('int4', '{x}', { array: true }), null)
  assert.equal(problem('int4', ['{x}', '{}'], { list: true, array: true }), null)
})
