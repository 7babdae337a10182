import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attributes, unknown, type Values } from '../../core/index.ts'
import { propertyPath, readNames, writeNames } from './named-values.ts'

const attribute = { description: '', presence: 'optional', replace: false, sensitive: false, writeOnly: false } as const
const inner: Attributes = { first_name: { ...attribute, type: { kind: 'string' } } }
const attributes: Attributes = {
  plain_text: { ...attribute, type: { kind: 'string' } },
  any_json: { ...attribute, type: { kind: 'json' } },
  one_object: { ...attribute, type: { kind: 'object', attributes: inner } },
  some_objects: { ...attribute, type: { kind: 'list', of: { kind: 'object', attributes: inner } } },
  by_key: { ...attribute, type: { kind: 'map', of: { kind: 'object', attributes: inner } } },
}

test('names are those of the declaration at every depth, what is not given is null, keys remain', () => {
  const properties: Values = {
    anyJson: { firstName: { some_key: null } },
    oneObject: {},
    someObjects: [{ firstName: 'a' }, unknown],
    byKey: { a_b: { firstName: unknown }, cD: {} },
    __defaults: [],
  }
  const values: Values = {
    plain_text: null,
    any_json: { firstName: { some_key: null } },
    one_object: { first_name: null },
    some_objects: [{ first_name: 'a' }, unknown],
    by_key: { a_b: { first_name: unknown }, cD: { first_name: null } },
  }
  assert.deepEqual(readNames(attributes, properties), { values, strangers: [] })
  const { __defaults: _, ...own } = properties
  assert.deepEqual(writeNames(attributes, values), own)
})

test('what no attribute has the name of is reported by its path, also where it is the name of the declaration', () => {
  const { strangers } = readNames(attributes, {
    plain_text: 'a',
    oneObject: { first_name: 'b' },
    someObjects: [{}, { other: 1 }],
    byKey: { k: { other: 1 } },
    constructor: 1,
  })
  assert.deepEqual(strangers, [
    ['plain_text'],
    ['oneObject', 'first_name'],
    ['someObjects', 1, 'other'],
    ['byKey', 'k', 'other'],
    ['constructor'],
  ])
})

test('what is of another shape than declared is handed on as it is, for the check to find', () => {
  const properties = { plainText: ['a'], oneObject: 'b', someObjects: { a: 1 }, byKey: [2] }
  const { values } = readNames(attributes, properties)
  assert.deepEqual(values, {
    plain_text: ['a'],
    any_json: null,
    one_object: 'b',
    some_objects: { a: 1 },
    by_key: [2],
  })
})

test('paths are written as Pulumi writes them', () => {
  assert.equal(propertyPath(attributes, ['some_objects', 1, 'first_name']), 'someObjects[1].firstName')
  assert.equal(propertyPath(attributes, ['by_key', 'a b', 'first_name']), 'byKey["a b"].firstName')
  assert.equal(propertyPath(attributes, ['by_key', 'a_b', 'first_name']), 'byKey.a_b.firstName')
  assert.equal(propertyPath(attributes, ['any_json', 'first_name']), 'anyJson.first_name')
})
