import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catchBug, isWrongAnswer } from './catch-bug.ts'
import { catchWriteBug } from './catch-write-bug.ts'
import { seededBugs } from './seeded-bugs.ts'
import { seededWriteBugs } from './seeded-write-bugs.ts'

test('every seeded bug has one place to be in', () => {
  for (const { name, file, text, instead } of [...seededBugs, ...seededWriteBugs]) {
    const places = readFileSync(`engine/src/${file}`, 'utf8').split(text).length - 1
    assert.deepEqual([places, instead === text], [1, false], name)
  }
})

/** Where each is caught soon; `npm run soak -- seeded-bugs` looks for all of them. */
for (const { name, seed } of [
  { name: 'masks are lost', seed: 7 },
  { name: 'the filter is lost in where over a relationship', seed: 21 },
  { name: 'rows of other roles are found by their ids', seed: 2 },
])
  test(`the oracle sees it when ${name}`, async () => {
    const bug = seededBugs.find((one) => one.name === name)
    assert.ok(bug)
    const { found } = await catchBug(bug, { seed, queries: 240, perWorld: 40 })
    assert.ok(found && isWrongAnswer(found), found?.what)
  })

/** `npm run soak -- seeded-write-bugs` looks for all of them. */
for (const { name, seed } of [
  { name: 'the check is asked of the root alone where one statement writes nested rows', seed: 1 },
  { name: 'the filter is lost in update_many', seed: 1 },
])
  test(`the oracle of writes sees it when ${name}`, async () => {
    const bug = seededWriteBugs.find((one) => one.name === name)
    assert.ok(bug)
    assert.ok(await catchWriteBug(bug, seed, 500))
  })
