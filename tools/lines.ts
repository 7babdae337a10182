/**
 * `node tools/lines.ts`: lines of code by package, tests and generated code separately, and how many more they are than
 * at the last release, which is the state before the commit that set the packages' present version.
 */
import { spawnSync } from 'node:child_process'

const generated = /^(cdk|sdk)\//
const tests = /^(test|bench)\/|\.(test|fixture)\.[jt]s$/

function git(...args: readonly string[]): string {
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 })
  return status === 0 ? stdout.trim() : ''
}

/** By package; of the working tree, or of a commit. */
function linesOf(commit?: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const counts = git(
    'grep',
    '-c',
    '',
    ...(commit ? [commit] : []),
    '--',
    '*.ts',
    '*.tsx',
    '*.css',
    '*.js',
    '*.py',
    '*.go',
  )
  for (const line of counts.split('\n').filter(Boolean)) {
    const [, path = '', count] = /^(?:[0-9a-f]{40}:)?(.*):(\d+)$/.exec(line) ?? []
    const name = generated.test(path)
      ? 'generated'
      : tests.test(path)
        ? 'tests, benchmarks'
        : (path.split('/')[0] ?? '')
    lines.set(name, (lines.get(name) ?? 0) + Number(count))
  }
  return lines
}

const [now, versioned] = [linesOf(), git('log', '-1', '--format=%H', '-G"version"', '--', 'schema/package.json')]
const release = versioned === '' ? '' : git('rev-parse', '--verify', '--quiet', `${versioned}^`)
const before = release === '' ? null : linesOf(release)
console.log(release === '' ? 'lines by package (this clone does not hold the last release)' : 'lines by package')
for (const [name, count] of [...now].toSorted(([, a], [, b]) => b - a)) {
  const more = before ? count - (before.get(name) ?? 0) : null
  console.log(
    `${name.padEnd(20)}${String(count).padStart(8)}${more === null ? '' : `${more < 0 ? '' : '+'}${more}`.padStart(10)}`,
  )
}
