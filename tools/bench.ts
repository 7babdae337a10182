/** `npm run bench -- NAME`: a benchmark, bench/NAME/run.ts. Without a name: the list. */
import { runByName } from './run-by-name.ts'

await runByName('bench', 'bench/*/run.ts')
