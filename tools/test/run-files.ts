import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Milliseconds of a file. */
const timeout = 600_000

/**
 * Runs test files, each in a process of its own, `concurrency` at a time; prints as they go. `longest`: milliseconds of one
 * test, since what hangs should fail soon. The files that failed.
 */
export async function runFiles(
  files: readonly string[],
  { concurrency, longest }: { readonly concurrency: number; readonly longest: number },
): Promise<readonly string[]> {
  const failed = new Set<string>()
  const execArgv = ['--disable-warning=ExperimentalWarning', `--test-timeout=${longest}`]
  const stream = run({ files: [...files], concurrency, timeout, execArgv })
  stream.on('test:fail', ({ file, name }) => failed.add(file ?? name))
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return files.filter((path) => [...failed].some((file) => file.endsWith(path.slice(1))))
}
