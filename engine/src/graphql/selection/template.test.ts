import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledSize, fillTemplate, type Template } from './template.ts'

const hole: Template = { kind: 'variable', variable: 'v', keys: [] }

test('a filled template is about as large as its JSON', () => {
  const templates: readonly Template[] = [
    hole,
    { kind: 'list', of: [hole, hole, { kind: 'json', json: [1, null, 'x'] }] },
    { kind: 'object', of: new Map([['key', { kind: 'list', of: [hole] } as const]]) },
  ]
  const values: readonly unknown[] = ['x'.repeat(1000), [], { a: ['y'.repeat(500), { b: 'z'.repeat(100) }] }, undefined]
  for (const template of templates)
    for (const v of values) {
      const size = filledSize(template, { v })
      const json = JSON.stringify(fillTemplate(template, { v }) ?? null).length
      assert.ok(Math.abs(size - json) <= 20, `${size} for ${json}`)
    }
})

test('a value that is in 20,000 places is read once', () => {
  const v = Array.from({ length: 20_000 }, () => 'word')
  let looks = 0
  const get = () => {
    looks++
    return 'word'
  }
  Object.defineProperty(v, 0, { get, enumerable: true })
  const size = filledSize({ kind: 'list', of: Array.from({ length: 20_000 }, () => hole) }, { v })
  assert.ok(size > 2_000_000_000)
  assert.equal(looks, 1)
})

test('a variable that is passed counts from its second place on', () => {
  const v = 'x'.repeat(1000)
  const passed = new Set<string>()
  assert.ok(filledSize(hole, { v }, passed) < 10)
  assert.ok(filledSize({ kind: 'list', of: [hole, hole] }, { v }, passed) > 2000)
})
