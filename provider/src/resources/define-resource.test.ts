import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from './attributes-of.ts'
import { catalogue } from './catalogue.ts'
import { type Declaration, defineResource } from './define-resource.ts'

const declaration = (inputs: Declaration['inputs'], more: Partial<Declaration> = {}): Declaration => ({
  kind: 'Thing',
  type: 'query_collection',
  description: 'A thing.',
  inputs: { name: { description: 'Its name.', replace: true }, ...inputs },
  identity: ['name'],
  example: ['one'],
  create: () => [],
  update: () => [],
  delete: () => [],
  ...more,
})

const refused = (inputs: Declaration['inputs'], more: Partial<Declaration> = {}): string => {
  try {
    defineResource(declaration(inputs, more))
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const text = { description: 'Text.', type: 'string', optional: true } as const

test('attributes have types, choices and defaults of the schema, and what their declaration says', () => {
  const { attributes, name, version } = defineResource(
    declaration(
      {
        ...within('definition', {
          kind: { description: 'Kind.', typeName: 'Kind' },
          timeout: 'Seconds.',
          ignored_client_headers: { description: 'Headers.', set: true },
          arguments: { description: 'Arguments.', of: { name: { description: 'Name.', sensitive: true } } },
        }),
        any: { description: 'Any.', json: true },
        own: { ...text, refuses: 'empty' },
      },
      { type: 'action' },
    ),
  )
  assert.equal(name, 'thing')
  assert.equal(version, 0)
  const plain = { replace: false, sensitive: false, writeOnly: false }
  const string = { kind: 'string' }
  const kinds = { kind: 'string', choices: ['synchronous', 'asynchronous'], name: 'Kind' }
  const { force_destroy: _, ...own } = attributes
  assert.deepEqual(own, {
    name: { ...plain, type: string, description: 'Its name.', presence: 'required', replace: true },
    kind: { ...plain, type: kinds, description: 'Kind.', presence: 'optional', default: 'synchronous' },
    timeout: { ...plain, type: { kind: 'integer' }, description: 'Seconds.', presence: 'optional', default: 30 },
    ignored_client_headers: {
      ...plain,
      type: { kind: 'set', of: { kind: 'string', refuses: 'empty' } },
      description: 'Headers.',
      presence: 'optional',
    },
    arguments: {
      ...plain,
      description: 'Arguments.',
      presence: 'optional',
      type: {
        kind: 'list',
        of: {
          kind: 'object',
          attributes: {
            name: { ...plain, type: string, description: 'Name.', presence: 'required', sensitive: true },
          },
        },
      },
    },
    any: { ...plain, type: { kind: 'json' }, description: 'Any.', presence: 'required' },
    own: { ...plain, type: { kind: 'string', refuses: 'empty' }, description: 'Text.', presence: 'optional' },
  })
})

test('what some tool could not show is refused when the catalogue is compiled', () => {
  assert.match(refused({ count: text }), /^Thing: count: its name is reserved/)
  assert.match(refused({ id: text }), /id: its name is reserved/)
  assert.match(refused({ inner: { description: 'x', of: { pulumi: text } } }), /inner\.pulumi: its name is reserved/)
  assert.match(refused({ camelCase: text }), /camelCase: its name is not in snake_case/)
  assert.match(refused({ silent: { description: '', type: 'string' } }), /silent: it has no description/)
  assert.match(refused({ unknown: 'No schema has it.' }), /^unknown: its schema says no type/)
  assert.match(refused({ definition: 'An object, whose attributes are not said.' }), /^definition: its schema says no/)
  assert.match(
    refused({ only: { ...text, optional: false, writeOnly: true, default: 'x', replace: true } }),
    /only: what/,
  )
  assert.match(refused({}, { identity: ['title'] }), /title: identity must replace/)
  assert.match(refused({}, { kind: 'thing' }), /its name is not in PascalCase/)
  assert.match(refused({}, { example: [] }), /its example has another length/)
})

test('no two kinds share a name or an object', () => {
  const names = catalogue.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)])
  const wholes = catalogue.filter(({ part, type }) => !part && type !== 'source')
  assert.equal(new Set(wholes.map(({ type }) => type)).size, wholes.length)
  const sources = catalogue.filter(({ type }) => type === 'source')
  assert.equal(new Set(sources.map(({ sourceKind }) => sourceKind)).size, sources.length)
})
