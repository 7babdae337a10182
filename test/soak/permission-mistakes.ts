/**
 * `npm run soak -- permission-mistakes`: every mistake in the permissions of the music store that test/cli/permission-mistakes.ts
 * can make is found by its permission tests. The short form is test/cli/permission-tests.test.ts.
 */
import { findMistakes } from '../cli/find-mistakes.ts'

const { chosen, missed, failing } = await findMistakes((all) => all, console.log)
console.log(
  `${chosen.length - missed.length} of ${chosen.length} mistakes found; ${failing.length} tests fail without one`,
)
process.exit(missed.length + failing.length === 0 ? 0 : 1)
