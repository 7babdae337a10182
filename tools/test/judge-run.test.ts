import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRun, mayRunAgain } from './judge-run.ts'

test('a file that failed next to other files and passes by itself is flaky, not red', () => {
  assert.deepEqual(judgeRun(['test/a.test.ts'], [], []), { red: [], flaky: ['test/a.test.ts'] })
})

test('a file that fails by itself too is red', () => {
  assert.deepEqual(judgeRun(['a.test.ts', 'b.test.ts'], ['b.test.ts'], []), {
    red: ['b.test.ts'],
    flaky: ['a.test.ts'],
  })
})

test('a file that was flaky in the last run as well is red', () => {
  assert.deepEqual(judgeRun(['a.test.ts'], [], ['a.test.ts']), { red: ['a.test.ts'], flaky: [] })
})

test('tests of isolation, kills and differences are never tried again', () => {
  for (const file of [
    'test/differential/differential.test.ts',
    'test/serving/kill-inside-bulks.test.ts',
    'test/serving/isolation.test.ts',
    'test/pulumi/secrets.test.ts',
    'test/fuzz/fuzz.test.ts',
  ]) {
    assert.equal(mayRunAgain(file), false, file)
    assert.deepEqual(judgeRun([file], [], []), { red: [file], flaky: [] })
  }
  assert.equal(mayRunAgain('test/serving/skills.test.ts'), true)
})
