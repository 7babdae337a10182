/** What a run of the tests means once the files that failed have been run a second time, each by itself. */
export interface RunVerdict {
  /** Files that make the run red. */
  readonly red: readonly string[]
  /** Files that failed first and passed by themselves: named, to be mended next. */
  readonly flaky: readonly string[]
}

/**
 * Tests that search for what must never happen (an answer that reached another session, half a write after a kill, a
 * difference from the oracle): one failure is a defect, however often the same test passes afterwards.
 */
const neverAgain = /(^|[/.-])(differential|seeded-bugs|isolation|kill|twice|fuzz|canary|secrets)([/.-]|$)/

export const mayRunAgain = (file: string): boolean => !neverAgain.test(file)

/**
 * `failed`: files of the first run; `failedAgain`: those of them that failed by themselves too; `flakyBefore`: what the
 * last run found flaky. A file that is flaky twice in a row is red.
 */
export function judgeRun(
  failed: readonly string[],
  failedAgain: readonly string[],
  flakyBefore: readonly string[],
): RunVerdict {
  const isRed = (file: string) => !mayRunAgain(file) || failedAgain.includes(file) || flakyBefore.includes(file)
  return { red: failed.filter(isRed), flaky: failed.filter((file) => !isRed(file)) }
}
