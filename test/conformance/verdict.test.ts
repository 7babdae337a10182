import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type ConformanceRun,
  judge,
  matchSuites,
  mostExceptions,
  parseExceptions,
  replaceCases,
  suiteOf,
} from './verdict.ts'

/** As the runner writes it, abridged. */
const run: ConformanceRun = JSON.parse(`{
  "split": "given",
  "totals": { "suites": 2, "tests": 4, "passed": 2, "failed": 1, "skipped": 1 },
  "suites": [
    { "id": "graphql.TestA", "area": "GraphQL queries", "passed": 2, "failed": 1, "skipped": 0, "tests": [
      { "id": "graphql.TestA.test_one[http]", "transport": "http", "status": "pass", "checks": 3, "ms": 12 },
      { "id": "graphql.TestA.test_two[http]", "transport": "http", "status": "pass", "ms": 10 },
      { "id": "graphql.TestA.test_three[http]", "transport": "http", "status": "fail", "why": "status 500, expected 200" } ] },
    { "id": "v1.TestB", "area": "v1 data operations", "passed": 0, "failed": 0, "skipped": 1, "tests": [
      { "id": "v1.TestB.test_geo[http]", "transport": "http", "status": "skip", "why": "needs the PostgreSQL extension postgis" } ] }
  ] }`)

const failing = (id: string) => ({ id, reason: 'a reason' })

test('an unlisted case that fails is a defect, one that could not run here too, and the counts are told by area', () => {
  assert.deepEqual(judge([], run, true), {
    defects: [
      { id: 'graphql.TestA.test_three[http]', why: 'status 500, expected 200', again: true },
      { id: 'v1.TestB.test_geo[http]', why: 'needs the PostgreSQL extension postgis', again: false },
    ],
    areas: [
      { area: 'GraphQL queries', passed: 2, failed: 1, skipped: 0 },
      { area: 'v1 data operations', passed: 0, failed: 0, skipped: 1 },
    ],
    passed: 2,
    failed: 1,
    skipped: 1,
  })
})

test('a listed case may fail, and is a defect when it passes', () => {
  const { defects } = judge(
    [failing('graphql.TestA.test_one[http]'), failing('graphql.TestA.test_three[http]')],
    run,
    true,
  )
  assert.deepEqual(
    defects.filter(({ id }) => id.startsWith('graphql')),
    [{ id: 'graphql.TestA.test_one[http]', why: 'passes, but is listed as failing', again: false }],
  )
})

test('a listed case that did not run is a defect of a complete run only', () => {
  const listed = [failing('relay.TestC.test_node[http]')]
  const ofRelay = (isComplete: boolean) =>
    judge(listed, run, isComplete).defects.filter(({ id }) => id.startsWith('relay'))
  assert.deepEqual(ofRelay(true), [
    { id: 'relay.TestC.test_node[http]', why: 'the runner does not know it', again: false },
  ])
  assert.deepEqual(ofRelay(false), [])
})

test('the outcome of a second try replaces that of the first', () => {
  const second: ConformanceRun = {
    suites: [
      {
        id: 'graphql.TestA',
        area: 'GraphQL queries',
        tests: [{ id: 'graphql.TestA.test_three[http]', status: 'pass' }],
      },
    ],
  }
  assert.ok(
    !judge([], replaceCases(run, second), true).defects.some(({ id }) => id === 'graphql.TestA.test_three[http]'),
  )
})

test('an exception has a reason, there are as many as a database may have, and those of every database can be read', () => {
  assert.deepEqual(parseExceptions('# why\na.T.test[http,$.a: b]: the sheet says otherwise\n'), [
    { id: 'a.T.test[http,$.a: b]', reason: 'the sheet says otherwise' },
  ])
  assert.throws(() => parseExceptions('a.T.test[http]\n'), /id: reason/)
  assert.throws(() => parseExceptions('a.T.test[http]: x\n'.repeat(11)), /at most 10/)
  for (const database of ['postgres', 'mssql', 'bigquery'])
    parseExceptions(readFileSync(new URL(`failing-${database}.txt`, import.meta.url), 'utf8'), mostExceptions[database])
})

test('the suite of a case is found although its parameters contain dots, and no other suite is matched', () => {
  const suite = suiteOf('jwt.Test.Inner.test_claims[http,$.a.b]')
  assert.equal(suite, 'jwt.Test.Inner')
  assert.ok(new RegExp(matchSuites([suite])).test(suite))
  assert.ok(!new RegExp(matchSuites([suite])).test('jwt.TestXInner'))
  assert.ok(!new RegExp(matchSuites([suite])).test('jwt.Test.Inner2'))
})
