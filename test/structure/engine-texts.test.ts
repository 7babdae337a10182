import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'

/**
 * The provider acts on codes, paths and the structured details of refusals (docs/metadata-api.md), never on the words of
 * an engine's error: those may change with any version.
 */
const text = String.raw`(?:error|message|reason|summary|internal|summaryOf\([^()]*\))`
const readers = String.raw`(?:includes|match|matchAll|startsWith|endsWith|search|indexOf|split|replace|replaceAll)\(`
const readsText = [
  // body.error.includes('…'), reasonOf(x).replace(…)
  new RegExp(String.raw`\b${text}\)?\??\.${readers}`),
  // /…/.test(body.error), pattern.exec(error.message)
  new RegExp(String.raw`\.(?:test|exec)\([^()]*\b${text}\b`),
  // body.error === '…'
  /(?<!typeof \w+)\.(?:error|message|reason|summary)\s*[!=]==\s*['"\x60]/,
]

/** Here the path of a value is looked for that the provider itself has put in front of its summary. */
const others: ReadonlySet<string> = new Set([
  'provider/src/terraform/diagnostics.ts',
  'provider/src/pulumi/requests/check-failures.ts',
  'provider/src/pulumi/requests/context.ts',
])

const findReaders = (path: string, source: string): readonly string[] =>
  source
    .split('\n')
    .map((line, i) => ({ line, at: `${path}:${i + 1}` }))
    .filter(({ line, at }) => !others.has(at.split(':')[0] ?? '') && readsText.some((pattern) => pattern.test(line)))
    .map(({ line, at }) => `${at} reads the text of an error: ${line.trim()}`)

test('no code of the provider reads the words of an error', () => {
  const paths = globSync('provider/src/**/*.ts', { exclude: (path) => path.endsWith('.test.ts') })
  assert.ok(paths.length > 100)
  const found = paths.flatMap((path) => findReaders(path.split(sep).join('/'), readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})

for (const line of [
  "if (body.error.includes('Inconsistent object')) return",
  'const names = error.matchAll(/table "([^"]+)" is not tracked/g)',
  'if (/unknown metadata command/.test(body.error)) return',
  "const plain = summaryOf(error).replaceAll('Inconsistent object: ', '')",
  "return String(object.reason).startsWith('no such')",
  "if (body.error === 'cannot continue') return",
])
  test(`it is found: ${line}`, () => assert.equal(findReaders('a.ts', line).length, 1))
