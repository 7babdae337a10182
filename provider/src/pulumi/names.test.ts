import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attributes, providerDeclaration } from '../core/index.ts'
import { functionToken, pulumiAttributes, pulumiName, resourceToken, snakeName } from './names.ts'

test('names are in camelCase, digits among them', () => {
  assert.equal(pulumiName('database_url_from_env'), 'databaseUrlFromEnv')
  assert.equal(pulumiName('a_1'), 'a1')
  assert.equal(pulumiName('filter'), 'filter')
})

test('every attribute of the catalogue, nested ones too, is found again by its name', () => {
  const trees = [...providerDeclaration.kinds, ...providerDeclaration.data].map(({ attributes }) => attributes)
  const check = (attributes: Attributes): void => {
    for (const [name, { type }] of Object.entries(attributes)) {
      assert.equal(snakeName(attributes, pulumiName(name)), name)
      const inner = type.kind === 'list' || type.kind === 'set' || type.kind === 'map' ? type.of : type
      if (inner.kind === 'object') check(inner.attributes)
    }
  }
  for (const tree of [providerDeclaration.config, ...trees]) check(tree)
})

test('a name in snake_case is none, unless both are the same', () => {
  const table = providerDeclaration.kinds.find(({ kind }) => kind === 'Table')
  assert.equal(snakeName(table?.attributes ?? {}, 'is_enum'), undefined)
  assert.equal(snakeName(table?.attributes ?? {}, 'constructor'), undefined)
  assert.equal(snakeName(table?.attributes ?? {}, 'source'), 'source')
})

test('tokens are of the module index', () => {
  assert.equal(resourceToken('SelectPermission'), 'svc:index:SelectPermission')
  assert.equal(functionToken('metadata'), 'svc:index:getMetadata')
  assert.equal(functionToken('metadata_changes'), 'svc:index:getMetadataChanges')
  assert.equal(functionToken('unmanaged_objects'), 'svc:index:getUnmanaged')
})

test('an id is no property', () => {
  const source = providerDeclaration.kinds.find(({ kind }) => kind === 'Source')
  const own = pulumiAttributes(source?.attributes ?? {})
  assert.ok('database_url_wo' in own)
  assert.ok(!('id' in own))
})
