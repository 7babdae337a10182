import type { TestResult } from './run-tests.ts'

/** The results as JUnit's XML, a suite a file. */
export function junitReport(results: readonly TestResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))]
  const suites = files.map((file) =>
    suiteOf(
      file,
      results.filter((result) => result.file === file),
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts(results)}>\n${suites.join('')}</testsuites>\n`
}

const suiteOf = (file: string, results: readonly TestResult[]): string =>
  `  <testsuite name="${escaped(file)}" ${counts(results)}>\n${results.map(caseOf).join('')}  </testsuite>\n`

function counts(results: readonly TestResult[]): string {
  const count = (outcome: TestResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const time = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  return `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${time.toFixed(3)}"`
}

function caseOf({ file, name, outcome, reason, milliseconds }: TestResult): string {
  const opening = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${(milliseconds / 1000).toFixed(3)}"`
  switch (outcome) {
    case 'passed':
      return `${opening}/>\n`
    case 'skipped':
      return `${opening}>\n      <skipped message="${escaped(reason)}"/>\n    </testcase>\n`
    case 'failed':
      return `${opening}>\n      <failure>${escaped(reason)}</failure>\n    </testcase>\n`
  }
}

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** XML has no place for control characters at all. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[<>&"]/g, (character) => entities[character] ?? '')
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd')
