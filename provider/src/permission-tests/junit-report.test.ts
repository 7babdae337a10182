import assert from 'node:assert/strict'
import { test } from 'node:test'
import { junitReport } from './junit-report.ts'
import type { TestResult } from './run-tests.ts'

const result = (part: Partial<TestResult>): TestResult => ({
  file: 'tests/author.yaml',
  name: 'sees their own',
  outcome: 'passed',
  reason: '',
  milliseconds: 1500,
  used: [],
  ...part,
})

test('each file is a suite with its own counts, each test a case with its time in seconds', () => {
  const report = junitReport([
    result({}),
    result({ file: 'tests/editor.yaml', name: 'writes', outcome: 'skipped', reason: 'it writes', milliseconds: 0 }),
    result({ name: 'sees no draft', outcome: 'failed', reason: '- id: 1\n+ id: 2', milliseconds: 20 }),
  ])
  assert.equal(
    report,
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" skipped="1" time="1.520">
  <testsuite name="tests/author.yaml" tests="2" failures="1" skipped="0" time="1.520">
    <testcase classname="tests/author.yaml" name="sees their own" time="1.500"/>
    <testcase classname="tests/author.yaml" name="sees no draft" time="0.020">
      <failure>- id: 1
+ id: 2</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/editor.yaml" tests="1" failures="0" skipped="1" time="0.000">
    <testcase classname="tests/editor.yaml" name="writes" time="0.000">
      <skipped message="it writes"/>
    </testcase>
  </testsuite>
</testsuites>
`,
  )
})

test('names and answers cannot end an element or hold what XML forbids', () => {
  const report = junitReport([
    result({ name: '<b> & "c"', outcome: 'failed', reason: '</failure><testcase name="x"/>\u0000\u001b[31m' }),
  ])
  assert.match(report, /name="&lt;b&gt; &amp; &quot;c&quot;"/)
  assert.match(report, /<failure>&lt;\/failure&gt;&lt;testcase name=&quot;x&quot;\/&gt;\ufffd\ufffd\[31m<\/failure>/)
  assert.equal(report.match(/<testcase /g)?.length, 1)
})
