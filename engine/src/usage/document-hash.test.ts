import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentHash } from './document-hash.ts'

const same: readonly (readonly [string, string])[] = [
  ['{ a(where: {id: {_eq: 1}}) { id } }', '{a(where:{id:{_eq:-27.5e3}}){id}}'],
  ['{ a(name: "x", n: 1) { id } }', '{ a(name: """much "longer" and\n\\""" {""", n: 3)\n  { id } # why }\n}'],
  ['{ a(in: [1, 2, 3]) { id } }', '{ a(in: [7]) { id } }'],
  ['{ a(in: ["x" "y"], b: 1) { id } }', '{ a(in: ["\\""], b: 2) { id } }'],
]

const other: readonly (readonly [string, string])[] = [
  ['{ a { id } }', '{ a { name } }'],
  ['{ a1 { id } }', '{ a2 { id } }'],
  ['query ($a: Int) { a(n: $a) }', 'query ($b: Int) { a(n: $b) }'],
  ['{ a(by: asc) { id } }', '{ a(by: desc) { id } }'],
  ['{ a(n: 1) { id } }', '{ a(n: "1") { id } }'],
]

test('the hash of a document knows no values', () => {
  for (const [one, another] of same) assert.equal(documentHash(one), documentHash(another), another)
})

test('the hash of a document knows everything else', () => {
  for (const [one, another] of other) assert.notEqual(documentHash(one), documentHash(another), another)
})
