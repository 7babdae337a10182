import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catchBug, isWrongAnswer } from './catch-bug.ts'
import { seededBugs } from './seeded-bugs.ts'

test('every seeded bug has one place to be in', () => {
  for (const { name, file, text, instead } of seededBugs) {
    const places = readFileSync(`engine/src/${file}`, 'utf8').split(text).length - 1
    assert.deepEqual([places, instead === text], [1, false], name)
  }
})

for (const name of ['masks are lost', 'the filter is lost in where over a relationship'])
  test(`the oracle sees it when ${name}`, async () => {
    const bug = seededBugs.find((one) => one.name === name)
    assert.ok(bug)
    const found = await catchBug(bug, { seed: 1, queries: 400, perWorld: 40 })
    assert.ok(found && isWrongAnswer(found), found?.what)
  })
