/**
 * What the reference does wrong on SQL Server and is done right here, each with the tests that show it. The tests themselves stand
 * where a reader would look for them; this list says that none of them was lost.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'

const behaviour = (file: string, called: string) => [`test/sql-server/behaviour/${file}.test.ts`, called] as const
const unit = (file: string, called: string) => [`engine/src/backends/mssql/${file}.test.ts`, called] as const

const corrected: Readonly<Record<string, readonly (readonly [file: string, called: string])[]>> = {
  'columns of a key have the order of the key': [
    unit('connect/mssql-source', 'has keys in their own order, which is not that of the columns'),
  ],
  'whole numbers beyond 32 bits are written and compared': [
    behaviour('reads', 'numbers with every digit, out and in'),
    behaviour('values', '72 boundary values are returned whole by insert, returning, list and live query'),
  ],
  'bytes are written as the text that a request has, of every type that holds bytes': [
    behaviour('boundaries', 'bytes of the old type and values of any type are written and compared'),
  ],
  'the least and greatest are offered of what the server compares': [
    unit('types/types', 'each type has the scalar, the aggregates and the operators of the contract'),
    behaviour('boundaries', 'the least and greatest of texts of the old type, and rows of nothing but defaults'),
  ],
  'a permission compares with a list of constants': [
    behaviour('reads', 'a role sees its rows: session variables, lists of constants, limits'),
  ],
  'deviations and variances have the words of T-SQL': [
    unit('compile/golden', 'deviations and variances'),
    behaviour('reads', 'aggregates over the same page that nodes show, and none of no rows'),
  ],
  'an order counts for aggregates as it does for nodes, and no rows are an empty list': [
    behaviour('reads', 'aggregates over the same page that nodes show, and none of no rows'),
  ],
  'a limit of 0 and an empty list are no errors': [
    behaviour('reads', 'no rows where the limit is 0, or a list is empty'),
  ],
  'a masked shape is masked': [unit('compile/golden', 'a masked column')],
  'long answers of aggregates and of deletes are put together': [
    behaviour('wire', 'puts together answers of many pieces'),
  ],
  'rows without any column take all defaults': [
    unit('write/programs', 'rows without any column take all defaults, each by itself'),
    behaviour('boundaries', 'the least and greatest of texts of the old type, and rows of nothing but defaults'),
  ],
  'an upsert checks what it updates by the update permission, and gives new rows their defaults': [
    behaviour('boundaries', 'an upsert checks what it updates, and gives new rows their defaults'),
  ],
  'a failure changes the isolation of no later statement': [
    unit('connect/mssql-source', 'has the isolation of the source in every statement, also after one that failed'),
  ],
  'changes from NULL and to NULL are events': [
    behaviour('events', 'changes from NULL and to NULL are events, and those of nothing are not'),
  ],
  'an event has all columns, also those that are NULL, and a name with a dot is one name': [
    behaviour('events', 'a name with a dot is one name, and columns that are NULL are there'),
  ],
}

suite('done right on SQL Server', () => {
  for (const [what, tests] of Object.entries(corrected))
    test(`${what}: has its tests`, async () => {
      for (const [file, called] of tests) {
        const text = await readFile(file, 'utf8')
        assert.ok(text.includes(`'${called}'`), `${file} has no test '${called}'`)
      }
    })
})
