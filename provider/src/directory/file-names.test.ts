import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileNames } from './file-names.ts'

test('a file is named after schema and table', () => {
  assert.deepEqual(
    fileNames([
      ['public', 'album'],
      ['shop', 'order_line'],
    ]),
    ['public_album', 'shop_order_line'],
  )
})

test('characters that separate folders or that a file system refuses are percent-encoded', () => {
  assert.deepEqual(
    fileNames([
      ['public', 'a/b'],
      ['public', 'a\\b'],
      ['public', '100%'],
      ['..', 'x'],
      ['public', 'a:b\n'],
    ]),
    ['public_a%2Fb', 'public_a%5Cb', 'public_100%25', '%2E._x', 'public_a%3Ab%0A'],
  )
})

test('names that collide are encoded until they do not', () => {
  assert.deepEqual(
    fileNames([
      ['a_b', 'c'],
      ['a', 'b_c'],
      ['a', 'd'],
    ]),
    ['a%5Fb_c', 'a_b%5Fc', 'a_d'],
  )
  assert.deepEqual(
    fileNames([
      ['public', 'Album'],
      ['public', 'album'],
    ]),
    ['public_%41lbum', 'public_album'],
  )
  assert.deepEqual(
    fileNames([
      ['public', 'é'],
      ['public', 'e\u0301'],
    ]),
    ['public_%C3%A9', 'public_e%CC%81'],
  )
})

test('no two of many hostile names share a file, even where case does not count', () => {
  const parts = ['a', 'A', '_', '%', '/', '.', 'a_', '_a', '%5F', '%5f', 'é', '..', 'a/b', 'A_B', 'a_b']
  const names = parts.flatMap((schema) => parts.map((name) => [schema, name]))
  const files = fileNames(names).map((name) => name.normalize('NFC').toLowerCase())
  assert.equal(new Set(files).size, names.length)
  assert.ok(files.every((name) => !name.includes('/') && !name.startsWith('.')))
})
