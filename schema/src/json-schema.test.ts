import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonSchemaOf } from './json-schema.ts'
import { allowlistScope } from './objects/allowlist-entry.ts'
import { qualifiedName } from './objects/qualified-name.ts'
import { createEventTriggerArgs } from './operations/event-triggers.ts'
import { createSelectPermissionArgs } from './operations/permissions.ts'

test('a name is a text or an object with the default schema', () => {
  assert.deepEqual(jsonSchemaOf(qualifiedName('public')), {
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1 },
          schema: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], default: 'public' },
        },
        required: ['name'],
      },
    ],
  })
})

test('all alternatives are in anyOf', () => {
  const { anyOf } = jsonSchemaOf(allowlistScope)
  assert.ok(Array.isArray(anyOf))
  assert.equal(anyOf.length, 2)
})

test('arguments have their required keys and defaults', () => {
  const { required, properties } = jsonSchemaOf(createSelectPermissionArgs('public'))
  assert.deepEqual(required, ['table', 'role', 'permission'])
  assert.deepEqual(JSON.parse(JSON.stringify(properties)).permission.properties.allow_aggregations, {
    type: ['boolean', 'null'],
    default: false,
  })
})

test('each operation has one that says something', () => {
  assert.ok(JSON.stringify(jsonSchemaOf(createEventTriggerArgs('public'))).includes('"interval_sec"'))
})
