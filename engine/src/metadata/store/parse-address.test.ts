import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  addressText,
  diffDocuments,
  emptyDocument,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
  objectTypes,
  ownKey,
  setValue,
} from '@svc/schema'
import { buildDocument, type ObjectRow } from './build-document.ts'
import { parseAddress, splitAddress } from './parse-address.ts'

const nasty = ['plain', 'a/b', 'a.b', 'a%b', '%2f', 'table:x', '/source:y', '', ' ', '\0', '\ud800', 'ключ\n']

/** An address of every kind, all its names and those above it `name`. */
function addressOf(type: ObjectType, name: string): ObjectAddress {
  const { parent, key } = objectKinds[type]
  const names = Object.keys(key({})).map((part) => [
    part,
    part === 'table' || part === 'function' ? { schema: name, name } : name,
  ])
  return address(type, ownKey(type, Object.fromEntries(names) as JsonObject), parent && addressOf(parent, name))
}

test('the address of every kind is read back from its text, whatever the names', () => {
  for (const type of objectTypes)
    for (const name of nasty) {
      const at = addressOf(type, name)
      const text = addressText(at)
      assert.deepEqual(parseAddress(text), at)
      assert.deepEqual(splitAddress(text, type), { parent: at.parent ? addressText(at.parent) : '', own: at.own })
    }
})

test('no two objects share an address text', () => {
  const texts = objectTypes.flatMap((type) => nasty.map((name) => addressText(addressOf(type, name))))
  const singletons = objectTypes.filter((type) => objectKinds[type].singleton)
  assert.equal(new Set(texts).size, texts.length - singletons.length * (nasty.length - 1))
})

test('a document is built again from its rows in any order', () => {
  const put = (document: MetadataDocument, at: ObjectAddress): MetadataDocument =>
    setValue(at.parent ? put(document, at.parent) : document, at, { of: addressText(at) })
  const document = objectTypes.flatMap((type) => nasty.map((name) => addressOf(type, name))).reduce(put, emptyDocument)
  const rows: ObjectRow[] = diffDocuments(emptyDocument, document).map(({ address: at, new: object }) => ({
    address: addressText(at),
    type: at.type,
    value: object?.value ?? {},
  }))
  assert.deepEqual(diffDocuments(document, buildDocument(rows.toReversed())), [])
})
