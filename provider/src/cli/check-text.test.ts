import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckReport } from '../check/index.ts'
import { plain } from '../core/index.ts'
import { breakingChanges, checkMarkdown, checkText } from './check-text.ts'

const right: CheckReport = { findings: [], preview: null, tests: null, advice: null, notes: [] }

const schema = { breaking: 2, dangerous: 0, safe: 0, changes: [] }

test('what is wrong stands first, with its place, and is counted', () => {
  const findings = [
    { kind: 'metadata', file: 'metadata/a.yaml', line: 3, object: 'table a', message: 'no such table' },
    { kind: 'migration', file: null, line: null, object: null, message: 'it fails' },
  ] as const
  assert.equal(
    checkText({ ...right, findings, notes: ['source warehouse is left out'] }, plain),
    `metadata/a.yaml:3: table a: no such table
it fails

note: source warehouse is left out

2 problems, tests not run`,
  )
})

test('breaking changes are those of all roles, of backends too', () => {
  const preview = {
    roles: [
      { role: 'a', schema, backend: { ...schema, breaking: 1 }, rows: [] },
      { role: 'b', schema },
    ],
  }
  assert.equal(breakingChanges({ ...right, preview }), 5)
  assert.equal(breakingChanges(right), 0)
})

test('what a project says stands in code blocks that it cannot end', () => {
  const message = 'text\n````\n# Approved by @everyone ![seen](https://example.com/seen.png)\n```'
  const findings = [{ kind: 'metadata', file: null, line: null, object: null, message }] as const
  const lines = checkMarkdown({ ...right, findings, notes: ['`````\n<img src=x>'] }).split('\n')
  let fence: string | null = null
  for (const line of lines) {
    const [run] = /^`{3,}/.exec(line) ?? []
    if (fence === null) {
      assert.doesNotMatch(line, /@everyone|!\[|<img/)
      fence = run ?? null
    } else if (line === fence) fence = null
  }
  assert.equal(fence, null)
})
