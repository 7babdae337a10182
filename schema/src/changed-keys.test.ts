import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Map as ImmutableMap } from 'immutable'
import { changedKeys } from './changed-keys.ts'

const pair = (i: number): [string, object] => [`key ${i}`, {}]

/** A linear congruence: the same edits in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return Math.floor((state / 4294967296) * below)
  }
}

function keyByKey(before: ImmutableMap<string, object>, after: ImmutableMap<string, object>): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort()
}

test('the keys found are those that a comparison key by key finds, in maps of every size', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = numbers(seed)
    const size = random(4) === 0 ? random(3000) : random(40)
    const start = ImmutableMap(Array.from({ length: size }, (_, i) => pair(i)))
    let before = start
    let after = start
    for (let edits = random(12); edits > 0; edits--) {
      const key = `key ${random(size + 5)}`
      const edit = random(3)
      if (edit === 0) before = before.set(key, {})
      if (edit === 1) after = after.set(key, {})
      if (edit === 2) after = after.delete(key)
    }
    assert.deepEqual([...changedKeys(before, after)].sort(), keyByKey(before, after), `seed ${seed}`)
  }
})

test('keys whose hashes collide are distinguished', () => {
  const [one, other] = ['Aa', 'BB']
  const before = ImmutableMap(Array.from({ length: 20 }, (_, i) => pair(i)))
    .set(one, {})
    .set(other, {})
  assert.deepEqual(changedKeys(before, before.set(other, {})), [other])
  assert.deepEqual(changedKeys(before, before.delete(one)), [one])
})

test('the pinned version of immutable has the trees that are read here; with other trees every change would compare every key', () => {
  const rootOf = (size: number) => {
    const map = ImmutableMap(Array.from({ length: size }, (_, i) => pair(i)))
    return Object.keys((map as unknown as { _root: object })._root)
  }
  assert.ok(rootOf(3).includes('entries'))
  assert.ok(rootOf(12).includes('nodes') && rootOf(12).includes('bitmap'))
  assert.ok(rootOf(5000).includes('nodes') && !rootOf(5000).includes('bitmap'))
})
