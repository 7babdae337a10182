import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Milliseconds of a file. */
const timeout = 600_000

interface Run {
  readonly concurrency: number
  /** Milliseconds of one test, since what hangs should fail soon. */
  readonly longest: number
  /** Of the tests, a regular expression; undefined: all of them. */
  readonly name: string | undefined
}

/** Runs test files, each in a process of its own, and prints as they go. Returns the files that failed. */
export async function runFiles(
  files: readonly string[],
  { concurrency, longest, name }: Run,
): Promise<readonly string[]> {
  const failed = new Set<string>()
  const execArgv = ['--disable-warning=ExperimentalWarning', `--test-timeout=${longest}`]
  const names = name === undefined ? {} : { testNamePatterns: [name] }
  const stream = run({ files: [...files], concurrency, timeout, execArgv, ...names })
  stream.on('test:fail', ({ file, name }) => failed.add(file ?? name))
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return files.filter((path) => [...failed].some((file) => file.endsWith(path.slice(1))))
}
