import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToList, type ConformanceRun, judge, matchSuites, parseList, replaceCases, suiteOf } from './verdict.ts'

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

test('a listed case that fails or is skipped is a regression with its reason, one that passes unlisted is news', () => {
  const listed = ['graphql.TestA.test_one[http]', 'graphql.TestA.test_three[http]', 'v1.TestB.test_geo[http]']
  assert.deepEqual(judge(listed, run, true), {
    regressions: [
      { id: 'graphql.TestA.test_three[http]', why: 'status 500, expected 200' },
      { id: 'v1.TestB.test_geo[http]', why: 'needs the PostgreSQL extension postgis' },
    ],
    newlyPassing: ['graphql.TestA.test_two[http]'],
    areas: [
      { area: 'GraphQL queries', passed: 2, failed: 1, skipped: 0 },
      { area: 'v1 data operations', passed: 0, failed: 0, skipped: 1 },
    ],
    passed: 2,
    failed: 1,
    skipped: 1,
  })
})

test('a listed case that did not run is a regression only of a complete run', () => {
  const listed = ['relay.TestC.test_node[http]']
  assert.deepEqual(judge(listed, run, true).regressions, [
    { id: 'relay.TestC.test_node[http]', why: 'the runner does not know it any more' },
  ])
  assert.deepEqual(judge(listed, run, false).regressions, [])
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
  const listed = ['graphql.TestA.test_three[http]']
  assert.deepEqual(judge(listed, replaceCases(run, second), true).regressions, [])
})

test('an updated list keeps its comments and what it had, sorted and once', () => {
  const list = '# cases that pass\nb.T.test[http]\na.T.test[http]\n'
  const updated = addToList(list, ['b.T.test[http]', 'aa.T.test[ws]'])
  assert.equal(updated, '# cases that pass\na.T.test[http]\naa.T.test[ws]\nb.T.test[http]\n')
  assert.deepEqual(parseList(updated), ['a.T.test[http]', 'aa.T.test[ws]', 'b.T.test[http]'])
})

test('the suite of a case is found although its parameters hold dots, and is matched alone', () => {
  const suite = suiteOf('jwt.Test.Inner.test_claims[http,$.a.b]')
  assert.equal(suite, 'jwt.Test.Inner')
  assert.ok(new RegExp(matchSuites([suite])).test(suite))
  assert.ok(!new RegExp(matchSuites([suite])).test('jwt.TestXInner'))
  assert.ok(!new RegExp(matchSuites([suite])).test('jwt.Test.Inner2'))
})
