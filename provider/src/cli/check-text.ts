import { recordOf, recordsIn } from '@svc/schema'
import { type CheckReport, isRight } from '../check/index.ts'
import { type Paint, plain, previewText } from '../core/index.ts'
import { placeText } from '../directory/index.ts'
import { adviceLines } from './advice-text.ts'
import { coverageLines, testLines } from './test-text.ts'

/** What a check found, for a terminal. */
export function checkText(report: CheckReport, paint: Paint): string {
  const { preview, tests, advice, notes } = report
  const blocks = [
    findingLines(report).map((line) => paint.bad(line)),
    preview ? previewText(preview, 'text').split('\n') : [],
    tests ? [...failedTests(report, paint), ...(tests.coverage ? coverageLines(tests.coverage) : [])] : [],
    adviceLines(advice ?? []),
    notes.map((note) => paint.faint(`note: ${note}`)),
    [isRight(report) ? paint.good(summary(report)) : paint.bad(summary(report))],
  ]
  return blocks.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n')
}

/** GitHub takes 65,536 characters in a comment. */
const mostCharacters = 60_000

/**
 * The same as Markdown, for a comment. What comes from the project is always in code: there it is neither a link, an
 * image nor a mention.
 */
export function checkMarkdown(report: CheckReport): string {
  const { preview, tests, notes } = report
  const advised = adviceLines(report.advice ?? [])
  const failed = failedTests(report, plain)
  const sections = [
    `### ${isRight(report) ? '✅' : '❌'} svc check: ${summary(report)}`,
    ...(report.findings.length > 0 ? [fenced(findingLines(report))] : []),
    ...(failed.length > 0 ? ['#### Tests that fail', fenced(failed)] : []),
    ...(preview ? ['#### What changes in the API', fenced(previewText(preview, 'text').split('\n'))] : []),
    ...(advised.length > 0 ? [folded('Advice', advised)] : []),
    ...(tests?.coverage && tests.coverage.unused.length > 0
      ? [folded('Coverage of tests', coverageLines(tests.coverage))]
      : []),
    ...(notes.length > 0 ? [fenced(notes)] : []),
  ]
  return sections.join('\n\n')
}

const folded = (title: string, lines: readonly string[]): string =>
  `<details><summary>${title}</summary>\n\n${fenced(lines)}\n\n</details>`

function fenced(lines: readonly string[]): string {
  const all = lines.join('\n')
  const text = all.length > mostCharacters / 4 ? `${all.slice(0, mostCharacters / 4)}\n… and more` : all
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const findingLines = ({ findings }: CheckReport): readonly string[] =>
  findings.map((finding) => {
    const { object, message } = finding
    return `${placeText(finding)}${object === null ? '' : `${object}: `}${message}`.replaceAll('\n', ' ')
  })

function failedTests({ tests }: CheckReport, paint: Paint): readonly string[] {
  const failed = tests?.results.filter(({ outcome }) => outcome === 'failed') ?? []
  return failed.flatMap((result) => [result.file, ...testLines(result, paint)])
}

/** How many changes of the API break clients, over all roles. */
export function breakingChanges({ preview }: CheckReport): number {
  const schemas = recordsIn(preview?.roles).flatMap(({ schema, backend }) => [schema, backend])
  return schemas.reduce((sum: number, schema) => sum + Number(recordOf(schema).breaking ?? 0), 0)
}

function summary(report: CheckReport): string {
  const { findings, tests, preview } = report
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const of = (outcome: string) => tests?.results.filter((result) => result.outcome === outcome).length ?? 0
  return [
    findings.length === 0 ? 'nothing would be refused' : count(findings.length, 'problem'),
    ...(preview ? [count(breakingChanges(report), 'breaking change')] : []),
    ...(tests ? [`${count(of('passed'), 'test')} passed`] : ['tests not run']),
    ...(of('failed') > 0 ? [`${of('failed')} failed`] : []),
  ].join(', ')
}
