/** What a run of the conformance cases means, compared with the list of those that may fail. */

type CaseStatus = 'pass' | 'fail' | 'skip'

/** The parts of the runner's results file that are read here. */
export type ConformanceRun = {
  readonly suites: readonly {
    readonly id: string
    readonly area: string
    readonly tests: readonly { readonly id: string; readonly status: CaseStatus; readonly why?: string }[]
  }[]
}

export type Verdict = {
  readonly defects: readonly Defect[]
  readonly areas: readonly AreaCount[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What makes a run red; `again`: the case failed, and may pass when it is tried again. */
type Defect = { readonly id: string; readonly why: string; readonly again: boolean }

/** A given case that may fail, and why. */
export type Exception = { readonly id: string; readonly reason: string }

type AreaCount = {
  readonly area: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What a database's exceptions are at most: a list that may grow hides defects. */
/** Of each database: SQL Server's double has no spatial functions, which twelve cases call. */
export const mostExceptions: Readonly<Record<string, number>> = { postgres: 10, mssql: 13, bigquery: 10 }

/**
 * Reads lines of the form `id: reason`; lines that begin with # are for the reader.
 * Throws for a line without a reason, and for more lines than `most`.
 */
export function parseExceptions(text: string, most = 10): readonly Exception[] {
  const exceptions = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const end = line.indexOf(']: ') + 1
      const reason = line.slice(end + 2).trim()
      if (end === 0 || reason === '') throw new Error(`not of the form "id: reason": ${line}`)
      return { id: line.slice(0, end), reason }
    })
  if (exceptions.length > most) throw new Error(`${exceptions.length} exceptions, at most ${most} are allowed`)
  return exceptions
}

/** `graphql.TestNested.test_select[http]` belongs to the suite `graphql.TestNested`. */
export function suiteOf(id: string): string {
  const method = id.slice(0, id.indexOf('['))
  return method.slice(0, method.lastIndexOf('.'))
}

/** The regular expression for exactly these suites, as the runner's `--suite` takes it. */
export function matchSuites(suites: Iterable<string>): string {
  const escaped = [...new Set(suites)].sort().map((suite) => suite.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return `^(${escaped.join('|')})$`
}

/** The runner's reasons to skip a case that lie in the machine, not in the case. */
const isMissingHere = (why: string): boolean =>
  /^(needs (the PostgreSQL extension|env|a server|a second database)|slow)/.test(why)

/**
 * Judges a run. A defect is a case that fails unlisted, one that could not run on this machine, a listed one that passes,
 * and, where `isComplete` says that all cases ran, a listed one that the runner does not know.
 */
export function judge(exceptions: readonly Exception[], run: ConformanceRun, isComplete: boolean): Verdict {
  const cases = run.suites.flatMap((suite) => suite.tests.map((test) => ({ ...test, area: suite.area })))
  const listed = new Set(exceptions.map(({ id }) => id))
  const known = new Set(cases.map(({ id }) => id))
  const defects = cases.flatMap(({ id, status, why = status }): Defect[] => {
    if (status === 'pass') return listed.has(id) ? [{ id, why: 'passes, but is listed as failing', again: false }] : []
    const isAllowed = status === 'fail' ? listed.has(id) : !isMissingHere(why)
    return isAllowed ? [] : [{ id, why, again: status === 'fail' }]
  })
  const unknown = isComplete ? [...listed].filter((id) => !known.has(id)) : []
  const count = (area: string | undefined, status: CaseStatus) =>
    cases.filter((one) => (area === undefined || one.area === area) && one.status === status).length
  return {
    defects: [...defects, ...unknown.map((id) => ({ id, why: 'the runner does not know it', again: false }))],
    areas: [...new Set(cases.map((one) => one.area))].sort().map((area) => ({
      area,
      passed: count(area, 'pass'),
      failed: count(area, 'fail'),
      skipped: count(area, 'skip'),
    })),
    passed: count(undefined, 'pass'),
    failed: count(undefined, 'fail'),
    skipped: count(undefined, 'skip'),
  }
}

/** `first` with the outcome of each case that `second` tried again. */
export function replaceCases(first: ConformanceRun, second: ConformanceRun): ConformanceRun {
  const again = new Map(second.suites.flatMap((suite) => suite.tests.map((test) => [test.id, test])))
  return {
    suites: first.suites.map((suite) => ({ ...suite, tests: suite.tests.map((test) => again.get(test.id) ?? test) })),
  }
}
