/** `npm run soak -- NAME`: the long form of a test, test/soak/NAME.ts. Without a name: the list. */
import { runByName } from './run-by-name.ts'

await runByName('soak', 'test/soak/*.ts')
