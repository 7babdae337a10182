import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inheritanceOf } from './inheritance.ts'
import { readMetadata } from './read-metadata.ts'

function inheritance(roles: Readonly<Record<string, readonly string[]>>) {
  const inherited_roles = Object.entries(roles).map(([role_name, role_set]) => ({ role_name, role_set }))
  const read = readMetadata({ version: 3, sources: [], inherited_roles })
  if (!read.ok) throw new Error(read.issue.message)
  const { order, unordered, cyclic } = inheritanceOf(read.document)
  const names = (list: typeof order) => list.map(({ role_name }) => role_name)
  return { order: names(order), unordered: names(unordered), cyclic }
}

test('an inherited role comes after those that it is made of', () => {
  const { order } = inheritance({ a: ['b', 'user'], b: ['c', 'd', 'c'], c: ['user'], d: ['c'] })
  assert.deepEqual(order, ['c', 'd', 'b', 'a'])
})

test('roles that are in a cycle are distinguished from those that only lead into one', () => {
  const found = inheritance({ a: ['b'], b: ['c'], c: ['d'], d: ['b'], self: ['self'], free: ['user'], under: ['free'] })
  assert.deepEqual(found, {
    order: ['free', 'under'],
    unordered: ['a', 'b', 'c', 'd', 'self'],
    cyclic: ['b', 'c', 'd', 'self'],
  })
})

test('a chain of 20,000 roles is put in order', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => [`r${i}`, [`r${i + 1}`]] as const)
  const { order, unordered } = inheritance(Object.fromEntries(chain))
  assert.deepEqual([order[0], order.length, unordered.length], ['r19999', 20_000, 0])
})
