import { fileURLToPath } from 'node:url'
import { readMetadataFrom } from '../../provider/src/directory/index.ts'
import {
  type Coverage,
  coverageOf,
  readTests,
  runTests,
  sandboxEngine,
} from '../../provider/src/permission-tests/index.ts'
import { openSandbox } from '../../provider/src/sandbox/index.ts'
import { readMetadata, writeDeclared } from '../../schema/src/index.ts'
import { type Mistake, permissionMistakes } from './permission-mistakes.ts'

export interface Found {
  readonly coverage: Coverage
  /** Tests that fail without a mistake. */
  readonly failing: readonly string[]
  readonly chosen: readonly Mistake[]
  /** Titles of mistakes that no test has found. */
  readonly missed: readonly string[]
}

/** Runs the music store's tests as it is, and once more with each of the mistakes that are chosen. */
export async function findMistakes(
  choose: (all: readonly Mistake[]) => readonly Mistake[],
  report: (line: string) => void = () => {},
): Promise<Found> {
  const root = fileURLToPath(new URL('../../examples/music-store', import.meta.url))
  const { document } = await readMetadataFrom(`${root}/metadata`, root)
  const directories = {
    migrations: `${root}/migrations`,
    seeds: `${root}/seeds`,
    introspections: `${root}/introspections`,
  }
  const sandbox = await openSandbox({ document, ...directories }, new AbortController().signal)
  try {
    const files = await readTests(`${root}/tests`)
    const run = () => runTests(sandboxEngine(sandbox.client), files, () => {})
    const results = await run()
    const used = results.flatMap((result) => result.used)
    const chosen = choose(permissionMistakes(writeDeclared(document)))
    const missed: string[] = []
    for (const { title, metadata } of chosen) {
      const read = readMetadata(metadata)
      if (!read.ok) throw new Error(`${title}: ${JSON.stringify(read)}`)
      const inconsistent = await sandbox.serve(read.document)
      if (inconsistent.length > 0) throw new Error(`${title}: ${JSON.stringify(inconsistent)}`)
      const failed = (await run()).filter(({ outcome }) => outcome === 'failed')
      report(`${failed.length > 0 ? 'found ' : 'MISSED'} ${title}: ${failed[0]?.name ?? ''}`)
      if (failed.length === 0) missed.push(title)
    }
    const failing = results.flatMap(({ outcome, name, reason }) => (outcome === 'failed' ? [`${name}: ${reason}`] : []))
    return { coverage: coverageOf(document, used), failing, chosen, missed }
  } finally {
    await sandbox.close()
  }
}
