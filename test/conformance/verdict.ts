/** What a run of the conformance cases means, compared with the list of those that passed before. */

export type CaseStatus = 'pass' | 'fail' | 'skip'

/** The parts of the runner's results file that are read here. */
export type ConformanceRun = {
  readonly suites: readonly {
    readonly id: string
    readonly area: string
    readonly tests: readonly { readonly id: string; readonly status: CaseStatus; readonly why?: string }[]
  }[]
}

export type Verdict = {
  /** Listed, but did not pass now. */
  readonly regressions: readonly { readonly id: string; readonly why: string }[]
  /** Passed, but not listed. */
  readonly newlyPassing: readonly string[]
  readonly areas: readonly AreaCount[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export type AreaCount = {
  readonly area: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** One id a line; lines that begin with # are for the reader. */
export function parseList(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** `list` keeps its head of comments; the ids are sorted, so that a change to it reads well. */
export function addToList(list: string, ids: readonly string[]): string {
  const head = list.split('\n').filter((line) => line.startsWith('#'))
  return `${[...head, ...new Set([...parseList(list), ...ids].sort())].join('\n')}\n`
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

/**
 * Judges a run. `isComplete` says that the run covers everything listed, so that a listed case that did not appear
 * in it is a regression too.
 */
export function judge(listed: readonly string[], run: ConformanceRun, isComplete: boolean): Verdict {
  const cases = run.suites.flatMap((suite) => suite.tests.map((test) => ({ ...test, area: suite.area })))
  const byId = new Map(cases.map((one) => [one.id, one]))
  const regressions = listed.flatMap((id) => {
    const now = byId.get(id)
    if (now === undefined) return isComplete ? [{ id, why: 'the runner does not know it any more' }] : []
    return now.status === 'pass' ? [] : [{ id, why: now.why ?? now.status }]
  })
  const known = new Set(listed)
  const count = (area: string | undefined, status: CaseStatus) =>
    cases.filter((one) => (area === undefined || one.area === area) && one.status === status).length
  return {
    regressions,
    newlyPassing: cases.filter((one) => one.status === 'pass' && !known.has(one.id)).map((one) => one.id),
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
