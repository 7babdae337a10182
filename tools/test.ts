/**
 * `npm test [-- [--stacks] [--postgres BIN_FOLDER] [--name PATTERN] [PART_OF_A_PATH…]]`: the tests whose path contains
 * one of the parts, and whose name matches the pattern, on one PostgreSQL: that of SVC_TEST_DATABASE_URL, of BIN_FOLDER
 * (say /usr/lib/postgresql/15/bin), or the embedded one, which is started where a file uses it. Without a part: all but
 * those that drive Terraform, Pulumi and CDK; `--stacks`: only these.
 *
 * A file that failed is run once more, by itself, at the end (judge-run.ts says which are not): a red run means a
 * defect.
 *
 * A file whose outcome may depend on the version of PostgreSQL ends in `.database.test.ts`, so that `npm test --
 * --postgres BIN_FOLDER .database.test.ts` runs these once more on another.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/postgres-server.ts'
import { judgeRun, mayRunAgain } from './test/judge-run.ts'
import { reaches } from './test/reaches.ts'
import { runFiles } from './test/run-files.ts'
import { installTestPackages } from './test-packages.ts'

const { values, positionals } = parseArgs({
  options: { postgres: { type: 'string' }, stacks: { type: 'boolean', default: false }, name: { type: 'string' } },
  allowPositionals: true,
})

const drivesStacks = (file: string): boolean => /^test\/(adopt|cdk|ci|provider|pulumi|terraform)\//.test(file)
/** So many files start fewer programs than it takes to make one module of each. */
const FEW = 5
/** Files that were flaky in the last run. */
const flakyList = 'results/flaky.txt'

async function main(): Promise<number> {
  const files = globSync('{launcher,schema,engine,provider,examples,tools,test}/**/*.test.ts', {
    exclude: (name) => /(^|[/\\])(node_modules|dist)$/.test(name),
  })
    .map((file) => file.split(sep).join('/'))
    .filter((file) =>
      positionals.length === 0
        ? drivesStacks(file) === values.stacks
        : positionals.some((part) => file.includes(part)) && (drivesStacks(file) || !values.stacks),
    )
    .sort()
  if (files.length === 0) {
    console.error(`no test file's path contains ${positionals.join(' or ')}`)
    return 1
  }
  installTestPackages()
  if (files.some((file) => file.startsWith('test/cdk/'))) (await import('./cdk.ts')).writeConstructs()
  const given = process.env.SVC_TEST_DATABASE_URL
  const server = given || !reaches(files, 'test/postgres.ts') ? undefined : await startPostgres(values.postgres)
  if (server) process.env.SVC_TEST_DATABASE_URL = server.url
  if (files.length > FEW) {
    const { bundleProgram } = await import('./test/bundle-program.ts')
    if (reaches(files, 'test/engine.ts')) process.env.SVC_TEST_ENGINE = await bundleProgram('engine')
    if (reaches(files, 'test/cli/svc.ts')) process.env.SVC_TEST_CLI = await bundleProgram('provider')
  }
  // a file that imports the engine takes a quarter of a second less with it, and so does all that tests start
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url))
  try {
    return await runAndJudge(files)
  } finally {
    await server?.stop()
  }
}

async function runAndJudge(files: readonly string[]): Promise<number> {
  // a test that drives Terraform or Pulumi starts dozens of programs; on a busy machine all take longer
  const busy = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  const longest = Math.round((files.some(drivesStacks) ? 300_000 : 60_000) * busy)
  // half of a file's time is waiting, for processes that start and for what is due
  const concurrency = availableParallelism() + 1
  const failed = await runFiles(files, { concurrency, longest, name: values.name })
  const again = failed.filter(mayRunAgain)
  if (again.length > 0) console.log(`\nonce more, alone: ${again.join(', ')}`)
  const failedAgain = again.length > 0 ? await runFiles(again, { concurrency: 1, longest, name: values.name }) : []
  const { red, flaky } = judgeRun(failed, failedAgain, readFlaky())
  mkdirSync('results', { recursive: true })
  // a run of some files says nothing of the others
  const former = readFlaky().filter((file) => !files.includes(file))
  writeFileSync(flakyList, [...former, ...flaky, ''].join('\n'))
  if (red.length > 0) console.log(`failed: ${red.join(', ')}`)
  if (flaky.length > 0) console.log(`flaky: ${flaky.join(', ')}`)
  return red.length > 0 ? 1 : 0
}

function readFlaky(): readonly string[] {
  try {
    return readFileSync(flakyList, 'utf8').split('\n').filter(Boolean)
  } catch {
    return [] // the first run
  }
}

process.exitCode = await main()
