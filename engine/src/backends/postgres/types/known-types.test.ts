import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseType } from '../../../ir/index.ts'
import { builtIn, graphqlScalar, isComparable, isNumeric } from './known-types.ts'
import { operators } from './operators.ts'

const own = (name: string, kind: DatabaseType['kind'] = 'base'): DatabaseType => ({
  schema: 'public',
  name,
  kind,
  array: false,
})

test('scalars are named as reference/graphql-schema#scalars has it', () => {
  const named = Object.entries({
    int4: 'Int',
    int8: 'bigint',
    float4: 'Float',
    float8: 'float8',
    bool: 'Boolean',
    varchar: 'String',
    bpchar: 'bpchar',
    interval: 'interval',
  })
  for (const [name, scalar] of named) assert.equal(graphqlScalar(builtIn(name)), scalar)
  assert.equal(graphqlScalar(builtIn('text', true)), 'String')
  assert.equal(graphqlScalar(own('citext')), 'citext')
  assert.equal(graphqlScalar(own('mood', 'enum')), 'mood')
  assert.equal(graphqlScalar(own('address', 'composite')), 'address_scalar')
})

test("a user's type that borrows a known name is not taken for it", () => {
  assert.equal(graphqlScalar(own('text', 'enum')), 'text')
  assert.equal(isNumeric(own('int4')), false)
  assert.equal(isNumeric(builtIn('int4', true)), false)
  assert.equal(graphqlScalar(own('toString')), 'toString')
})

test('max and min are offered where reference/graphql-schema#generated-types offers them', () => {
  const comparable = ['int2', 'money', 'text', 'uuid', 'date', 'timestamptz', 'timetz'].map((name) => builtIn(name))
  for (const type of [...comparable, builtIn('json', true), own('mood', 'enum'), own('ltree')])
    assert.equal(isComparable(type), true, type.name)
  const not = ['json', 'jsonb', 'bool', 'time', 'interval', 'inet', 'bytea', 'xml'].map((name) => builtIn(name))
  for (const type of [...not, own('geometry'), own('a', 'composite'), own('r', 'range')])
    assert.equal(isComparable(type), false, type.name)
})

test('operators come sorted, and each kind of type has those of reference/filters#operators', () => {
  const names = (type: DatabaseType) => operators(type).map(({ name }) => name)
  const generic = ['_eq', '_gt', '_gte', '_in', '_is_null', '_lt', '_lte', '_neq', '_nin']
  assert.deepEqual(names(builtIn('int4')), generic)
  assert.deepEqual(names(own('mood', 'enum')), generic)
  assert.deepEqual(names(builtIn('text', true)), ['_contained_in', '_contains', ...generic])
  const has = (type: DatabaseType, name: string) => names(type).includes(name)
  assert.ok(
    has(builtIn('varchar'), '_niregex') && has(own('citext'), '_similar') && !has(builtIn('text', true), '_like'),
  )
  assert.ok(has(builtIn('jsonb'), '_has_keys_all') && !has(builtIn('json'), '_has_key'))
  assert.ok(!has(own('raster'), '_gt') && has(own('geometry'), '_gt') && has(own('geography'), '_st_d_within'))
})
