import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { catalogue } from './catalogue.ts'
import { type Declaration, defineResource } from './define-resource.ts'

const declaration = (inputs: Declaration['inputs'], more: Partial<Declaration> = {}): Declaration => ({
  kind: 'Thing',
  type: 'query_collection',
  description: 'A thing.',
  inputs: { name: z.string().meta({ description: 'Its name.', replace: true }), ...inputs },
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

const text = z.string().optional().meta({ description: 'Text.' })

test('a declaration that every tool can show compiles to a tree of attributes', () => {
  const { attributes, name, version } = defineResource(
    declaration({
      size: z.int().default(3).meta({ description: 'Size.' }),
      tags: z.array(z.string()).optional().meta({ description: 'Tags.', set: true }),
      inner: z
        .object({ secret: text.meta({ description: 'Secret.', sensitive: true }) })
        .meta({ description: 'Inner.' }),
      any: z.unknown().meta({ description: 'Any.', json: true }),
    }),
  )
  assert.equal(name, 'thing')
  assert.equal(version, 0)
  const plain = { replace: false, sensitive: false, writeOnly: false }
  assert.deepEqual(attributes, {
    name: { ...plain, type: { kind: 'string' }, description: 'Its name.', presence: 'required', replace: true },
    size: { ...plain, type: { kind: 'integer' }, description: 'Size.', presence: 'optional', default: 3 },
    tags: { ...plain, type: { kind: 'set', of: { kind: 'string' } }, description: 'Tags.', presence: 'optional' },
    inner: {
      ...plain,
      description: 'Inner.',
      presence: 'required',
      type: {
        kind: 'object',
        attributes: {
          secret: { ...plain, type: { kind: 'string' }, description: 'Secret.', presence: 'optional', sensitive: true },
        },
      },
    },
    any: { ...plain, type: { kind: 'json' }, description: 'Any.', presence: 'required' },
  })
})

test('what some tool could not show is refused when the catalogue is compiled', () => {
  assert.match(refused({ count: text }), /^Thing: count: its name is reserved/)
  assert.match(refused({ id: text }), /id: its name is reserved/)
  assert.match(
    refused({ inner: z.object({ pulumi: text }).meta({ description: 'x' }) }),
    /inner\.pulumi: its name is reserved/,
  )
  assert.match(refused({ camelCase: text }), /camelCase: its name is not in snake_case/)
  assert.match(refused({ silent: z.string() }), /silent: it has no description/)
  assert.match(refused({ union: z.union([z.string(), z.number()]) }), /union: not every tool can show a union/)
  assert.match(refused({ piped: z.string().transform(Number) }), /piped: not every tool can show a pipe/)
  assert.match(refused({ only: z.string().meta({ description: 'x', writeOnly: true }) }), /only: what is written only/)
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
