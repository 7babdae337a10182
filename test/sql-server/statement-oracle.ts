/**
 * What can be said of a T-SQL statement where no SQL Server can be had: `@dbml/core` has the whole grammar, and
 * statement-rules.ts what a grammar accepts and a server refuses.
 *
 * `expectStatement(sql)` throws for a statement that no server would take. With SVC_TEST_MSSQL_STATEMENTS=FILE every
 * statement is appended to the file, NUL after each: `npm run mssql:statements` makes one of all tests.
 *
 * The grammar takes up to a second for a statement. accepted-statements.txt has a hash of each text that it accepted
 * (with its version): these are not parsed again. `npm run mssql:statements` parses all and writes it.
 */
import { hash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { shorterStatement } from './shorter-statement.ts'
import { lintStatement, type StatementUse } from './statement-rules.ts'
import { NotTransactSql } from './tokens.ts'

export type { StatementUse } from './statement-rules.ts'

/** Of what the grammar reads as it is: it takes a minute for lists of a thousand rows. Of longer ones it reads each shape. */
const LONG = 4_000

const known = new Map<string, readonly string[]>()

/** The reasons why a server would refuse the statement; empty where none is known. */
export function checkStatement(sql: string, use: StatementUse = {}): readonly string[] {
  recordStatement(sql)
  const key = JSON.stringify([sql, use])
  const problems = known.get(key) ?? [...parsed(sql), ...lintStatement(sql, use)]
  known.set(key, problems)
  return problems
}

function parsed(sql: string): readonly string[] {
  const text = textForGrammar(sql)
  return text === undefined || accepted().has(keyOf(text)) ? [] : parseStatement(text)
}

/** What the grammar reads of a statement; undefined where the rules say that no server reads it. */
function textForGrammar(sql: string): string | undefined {
  try {
    return withoutMethods(sql.length <= LONG ? sql : shorterStatement(sql))
  } catch (problem) {
    if (problem instanceof NotTransactSql) return undefined
    throw problem
  }
}

const acceptedFile = new URL('accepted-statements.txt', import.meta.url)
const require = createRequire(import.meta.url)
const keyOf = (text: string): string => hash('sha256', text).slice(0, 16)

const grammarVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../test-packages/package.json', import.meta.url), 'utf8')).dependencies[
    '@dbml/core'
  ]

/** Keys of the texts that this version of the grammar accepted; none where all are to be parsed. */
function accepted(): ReadonlySet<string> {
  acceptedKeys ??= new Set(process.env.SVC_TEST_MSSQL_STATEMENTS === undefined ? acceptedBefore() : [])
  return acceptedKeys
}
let acceptedKeys: ReadonlySet<string> | undefined

function acceptedBefore(): readonly string[] {
  const [version, ...keys] = readFileSync(acceptedFile, 'utf8').trimEnd().split('\n')
  return version === grammarVersion() ? keys : []
}

/** The text of accepted-statements.txt for these statements: those that the grammar accepts. */
export function acceptedStatements(statements: readonly string[]): string {
  const texts = statements
    .flatMap((sql) => textForGrammar(sql) ?? [])
    .filter((text) => parseStatement(text).length === 0)
  return `${[grammarVersion(), ...new Set(texts.map(keyOf).sort())].join('\n')}\n`
}

/** Throws an error that names each reason, and the statement. */
export function expectStatement(sql: string, use: StatementUse = {}): void {
  const problems = checkStatement(sql, use)
  if (problems.length > 0) throw new Error(`SQL Server would refuse this: ${problems.join('; ')}\n${sql}`)
}

/** Appends a statement to the file that SVC_TEST_MSSQL_STATEMENTS names, each text once a process. */
export function recordStatement(sql: string): void {
  const file = process.env.SVC_TEST_MSSQL_STATEMENTS
  if (file === undefined || recorded.has(sql)) return
  recorded.add(sql)
  appendFileSync(file, `${sql}\0`)
}
const recorded = new Set<string>()

type Diagnostic = {
  readonly message: string
  readonly location?: { readonly start?: { line: number; column: number } }
}

/** The grammar's lexer reports what it skips on stderr only. */
function parseStatement(text: string): readonly string[] {
  // loading it takes half a second
  const { importer }: typeof import('@dbml/core') = require('@dbml/core')
  const skipped: string[] = []
  const { error } = console
  console.error = (text: unknown) => void skipped.push(String(text))
  try {
    importer.import(text, 'mssql')
  } catch (cause) {
    const diagnostics = (cause as { diags?: readonly Diagnostic[] }).diags
    if (!diagnostics) return [`the grammar's reader fails: ${String(cause).slice(0, 200)}`]
    return diagnostics.map(({ message, location }) => {
      const { line = 0, column = 0 } = location?.start ?? {}
      return `${line}:${column} ${message.replace(/ expecting [\s\S]*/, '')}`
    })
  } finally {
    console.error = error
  }
  return skipped
}

/** The grammar has neither static methods of a type (`geometry::Parse(x)`) nor methods of their result. */
const withoutMethods = (sql: string): string =>
  sql
    .replaceAll(/\b(geometry|geography|hierarchyid)\s*::\s*(?=\w+\s*\()/gi, 'dbo.')
    .replaceAll(/\)\s*\.\s*(MakeValid|STAsText|ToString)\s*\(\s*\)/g, ')')
