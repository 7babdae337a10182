import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, MetadataObject } from '@svc/schema'
import { customRootField, generatedType, namingOf, rootFieldName, rootKey } from './source-naming.ts'

const named = (customization: JsonObject, fallback: 'svc-default' | 'graphql-default' | null = null) =>
  namingOf({ type: 'source', value: { name: 'a', customization } } as unknown as MetadataObject, fallback)

const affixes = { root_fields: { prefix: 'pre_', suffix: '_suf' }, type_names: { prefix: 'T_', suffix: '_t' } }

test('prefixes and suffixes stand around every name', () => {
  const naming = named(affixes)
  assert.equal(rootFieldName(naming, 'author', 'by_pk'), 'pre_author_by_pk_suf')
  assert.equal(customRootField(naming, 'one'), 'pre_one_suf')
  assert.equal(generatedType(naming, 'author', 'bool_exp'), 'T_author_bool_exp_t')
})

test('in graphql-default they are joined with a capital', () => {
  const naming = named(
    {
      root_fields: { prefix: 'my', suffix: 'now' },
      type_names: { prefix: 'my' },
      naming_convention: 'graphql-default',
    },
    'svc-default',
  )
  assert.equal(rootFieldName(naming, 'author_local', 'by_pk'), 'myAuthorLocalByPkNow')
  assert.equal(generatedType(naming, 'author_local'), 'myAuthorLocal')
})

test('a convention is the own one, else that of the server, and only while conventions are switched on', () => {
  assert.equal(named({ naming_convention: 'graphql-default' }).convention, 'svc-default')
  assert.equal(named({ naming_convention: 'graphql-default' }, 'svc-default').convention, 'graphql-default')
  assert.equal(named({ naming_convention: 'svc-default' }, 'graphql-default').convention, 'svc-default')
  assert.equal(named({}, 'graphql-default').convention, 'graphql-default')
})

test('fields in a namespace do not clash with fields outside it', () => {
  assert.equal(rootKey(named({ root_fields: { namespace: 'ns' } }), 'author'), 'ns.author')
  assert.equal(rootKey(named({}), 'author'), 'author')
})
