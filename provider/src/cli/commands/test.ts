import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { MetadataDocument } from '@svc/schema'
import { Command } from 'commander'
import type { Paint } from '../../core/index.ts'
import { placeText } from '../../directory/index.ts'
import {
  type Coverage,
  coverageOf,
  junitReport,
  liveEngine,
  readTests,
  runTests,
  sandboxEngine,
  type TestFile,
  type TestResult,
} from '../../permission-tests/index.ts'
import { openSandbox, SandboxError } from '../../sandbox/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { ConfigError } from '../config.ts'
import { readProject } from '../read-project.ts'
import { whileWaiting } from '../terminal.ts'
import { coverageLines, testLines } from '../test-text.ts'
import { wholeNumber } from '../whole-number.ts'

interface TestFlags {
  readonly junit?: string
  readonly json?: boolean
  readonly diskLimit: number
}

/**
 * `svc test`: the permission tests of the project, on an engine and a database of its own; with --endpoint those that only read,
 * on that engine. Exit 0, or 1 where one fails.
 */
export function testCommand(run: Run): Command {
  const command = new Command('test')
    .description('run permission tests on an engine and a database of their own; with --endpoint those that only read')
    .argument('[parts...]', 'parts of paths: only the test files that contain one')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--json', 'print the results as JSON to stdout')
    .option('--disk-limit <megabytes>', 'give up when the data of its engine takes more', wholeNumber, 2048)
  return run(command, (context, flags: TestFlags, ...parts) =>
    test(context, parts, flags, command.optsWithGlobals<{ endpoint?: string }>().endpoint),
  )
}

async function test(
  context: CommandContext,
  parts: readonly string[],
  flags: TestFlags,
  endpoint: string | undefined,
): Promise<number> {
  const all = await readTests(context.config.testsDirectory)
  const files = parts.length === 0 ? all : all.filter(({ file }) => parts.some((part) => file.includes(part)))
  if (files.length === 0) throw new ConfigError(`there are no tests in ${context.config.testsDirectory}`)
  const document = await readProject(context)
  const outcome =
    endpoint === undefined ? await inSandbox(context, files, document, flags) : await live(context, files, flags)
  const { results, coverage } = outcome
  const failed = results.filter((result) => result.outcome === 'failed').length
  if (flags.junit !== undefined) await writeFile(resolve(context.terminal.cwd, flags.junit), junitReport(results))
  if (flags.json) context.print(JSON.stringify({ passed: failed === 0, results, coverage }, null, 2))
  else {
    const counts = (['passed', 'failed', 'skipped'] as const).map(
      (one) => [one, results.filter((result) => result.outcome === one).length] as const,
    )
    if (coverage) for (const line of coverageLines(coverage)) context.print(line)
    context.print(counts.flatMap(([one, count]) => (count > 0 ? [`${count} ${one}`] : [])).join(', '))
  }
  return failed === 0 ? 0 : 1
}

interface Outcome {
  readonly results: readonly TestResult[]
  /** Null where the operations' path is unknown. */
  readonly coverage: Coverage | null
}

async function inSandbox(
  context: CommandContext,
  files: readonly TestFile[],
  document: MetadataDocument,
  flags: TestFlags,
): Promise<Outcome> {
  const {
    migrationsDirectory: migrations,
    seedsDirectory: seeds,
    introspectionsDirectory: introspections,
  } = context.config
  const project = { document, migrations, seeds, introspections }
  const opening = openSandbox(project, context.terminal.signal, { diskLimit: flags.diskLimit })
  const sandbox = await whileWaiting(context.terminal.problems, 'making the database', opening)
  try {
    const [problem] = sandbox.problems
    if (problem) throw new SandboxError(`${placeText(problem)}${problem.message}`)
    for (const { name, reason } of sandbox.inconsistent) context.note(`warning: not served: ${name}: ${reason}`)
    const results = await runTests(sandboxEngine(sandbox.client), files, reporter(context, flags))
    const used = results.flatMap((result) => result.used)
    return { results, coverage: coverageOf(document, used) }
  } finally {
    await sandbox.close()
  }
}

async function live(context: CommandContext, files: readonly TestFile[], flags: TestFlags): Promise<Outcome> {
  return { results: await runTests(liveEngine(context.client()), files, reporter(context, flags)), coverage: null }
}

/** Prints each result, under its file. */
function reporter(context: CommandContext, flags: TestFlags): (result: TestResult) => void {
  let file = ''
  const paint: Paint = context.paint(context.terminal.out)
  const print = flags.json ? context.note : context.print
  return (result) => {
    if (result.file !== file) print(result.file)
    file = result.file
    for (const line of testLines(result, paint)) print(line)
  }
}
