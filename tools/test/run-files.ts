import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Milliseconds: what hangs fails long before a whole run is given up. */
const timeout = 600_000

/** Runs test files, each in a process of its own, `concurrency` at a time; prints as they go. The files that failed. */
export async function runFiles(files: readonly string[], concurrency: number): Promise<readonly string[]> {
  const failed = new Set<string>()
  const stream = run({ files: [...files], concurrency, timeout, execArgv: ['--disable-warning=ExperimentalWarning'] })
  stream.on('test:fail', ({ file, name }) => failed.add(file ?? name))
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return files.filter((path) => [...failed].some((file) => file.endsWith(path.slice(1))))
}
