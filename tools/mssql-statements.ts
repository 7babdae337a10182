/**
 * `npm run mssql:statements [-- FILE]`: runs the tests of SQL Server and writes every statement that they emit to FILE
 * (results/mssql-statements.sql), each once, NUL after each, so that another parser can read them; and to
 * test/sql-server/accepted-statements.txt a hash of each that the grammar accepts, so that tests do not parse it again.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { acceptedStatements } from '../test/sql-server/statement-oracle.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [file = 'results/mssql-statements.sql'] = positionals

mkdirSync(dirname(file), { recursive: true })
rmSync(file, { force: true })
// the oracle's own test has statements that are wrong on purpose
const { status } = spawnSync(
  process.execPath,
  ['tools/test.ts', 'mssql', 'sql-server/behaviour', 'sql-server/corrected', 'sql-server/events'],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SVC_TEST_MSSQL_STATEMENTS: resolve(file) },
  },
)
const statements = [...new Set(readFileSync(file, 'utf8').split('\0'))].filter((sql) => sql.trim() !== '').sort()
writeFileSync(file, statements.map((sql) => `${sql}\0`).join(''))
console.log(`${statements.length} statements in ${file}`)
if (status === 0) writeFileSync('test/sql-server/accepted-statements.txt', acceptedStatements(statements))
process.exitCode = status ?? 1
