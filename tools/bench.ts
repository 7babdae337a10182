/** `npm run bench -- NAME`: a benchmark, bench/NAME/run.ts. Without a name: the list. */
import { tmpdir } from 'node:os'
import { runByName } from './run-by-name.ts'

// a database that is measured is on a disk
process.env.TMPDIR ??= tmpdir()
await runByName('bench', 'bench/*/run.ts')
