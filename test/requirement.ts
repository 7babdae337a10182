/**
 * For the `skip` option of a test that needs more than Node: `{ skip: unless('pack', false, 'installs packages') }`.
 *
 * Where SVC_TEST_REQUIRE (a list with commas) holds `name` the test runs whatever `isMet` says, so that what CI relies on
 * cannot silently be skipped.
 */
export function unless(name: string, isMet: boolean, why: string): string | false {
  const required = (process.env.SVC_TEST_REQUIRE ?? '').split(',')
  return isMet || required.includes(name) ? false : `${why}; SVC_TEST_REQUIRE=${name} runs it`
}
