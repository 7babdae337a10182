import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectSchemas, objectTypes } from './object-kinds.ts'
import { placeOf } from './place.ts'
import { boolean, filled, integer, list, mapOf, name, oneOf, optional, record, text, unless } from './shape.ts'

test('a place has the form, the need and the default of its schema, whatever stands around it', () => {
  assert.deepEqual(placeOf(text), { forms: [{ kind: 'string', filled: false }], required: true })
  assert.deepEqual(placeOf(optional(name)), { forms: [{ kind: 'string', filled: true }], required: false })
  assert.deepEqual(placeOf(unless(false, boolean)), { forms: [{ kind: 'boolean' }], required: false, default: false })
  assert.deepEqual(placeOf(filled(oneOf('a', 'b'), 'a')), {
    forms: [{ kind: 'string', choices: ['a', 'b'], filled: false }],
    required: false,
    default: 'a',
  })
  assert.deepEqual(placeOf(list(integer)).forms, [{ kind: 'list', of: integer, filled: false }])
  assert.deepEqual(placeOf(mapOf(integer)).forms, [{ kind: 'map', of: integer }])
  assert.deepEqual(placeOf(record({ id: integer })).forms, [{ kind: 'object', keys: { id: integer } }])
})

test('the schema of every kind of object says which keys it has', () => {
  for (const style of ['public', 'dbo', 'dataset'] as const)
    for (const type of objectTypes) {
      const { forms } = placeOf(objectSchemas(style)[type])
      assert.ok(forms.length > 0 && forms.every(({ kind }) => kind === 'object'), `${type} in ${style}`)
      for (const form of forms) if (form.kind === 'object') Object.values(form.keys).map(placeOf)
    }
})
