/**
 * `npm test [-- [--postgres BIN_FOLDER] [PART_OF_A_PATH…]]`: the tests whose path contains one of the parts, or all,
 * on one PostgreSQL: that of SVC_TEST_DATABASE_URL, of BIN_FOLDER (say /usr/lib/postgresql/15/bin), or the embedded one.
 *
 * A file whose outcome may depend on the version of PostgreSQL ends in `.database.test.ts`, so that
 * `npm test -- --postgres BIN_FOLDER .database.test.ts` runs these once more on another.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/postgres-server.ts'

const { values, positionals } = parseArgs({ options: { postgres: { type: 'string' } }, allowPositionals: true })

const files = globSync('{launcher,schema,engine,provider,examples,tools,test}/**/*.test.ts', {
  exclude: (name) => /(^|[/\\])(node_modules|dist)$/.test(name),
})
  .map((file) => file.split(sep).join('/'))
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`no test file's path contains ${positionals.join(' or ')}`)
  process.exit(1)
}

const given = process.env.SVC_TEST_DATABASE_URL
const server = given ? undefined : await startPostgres(values.postgres)
const run = spawnSync(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-timeout=600000',
    `--test-concurrency=${availableParallelism()}`,
    ...files,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      SVC_TEST_DATABASE_URL: given ?? server?.url,
      // a file that imports the engine takes a quarter of a second less with it, and so does all that tests start
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url)),
    },
  },
)
await server?.stop()
process.exitCode = run.status ?? 1
