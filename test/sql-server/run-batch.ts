/** Runs the statements of a batch, with what a server does after an error. */

import { castCell } from './cast.ts'
import { type Change, insert, remove, update } from './change-rows.ts'
import { compileExpression, compilePredicate } from './compile-expression.ts'
import { compileQuery } from './compile-query.ts'
import { findObject, type Row, splitPath, type Table } from './database.ts'
import {
  alterTable,
  columnsOfInto,
  createIndex,
  createModule,
  createSchema,
  createTable,
  drop,
  rename,
  transfer,
} from './define.ts'
import { parseBatch } from './parse-statement.ts'
import type { Env, Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Session } from './session.ts'
import type { Execute, Expression, Path, Query, Statement } from './syntax.ts'
import type { Answer } from './tds/answers.ts'
import type { Parameter } from './tds/cells.ts'
import { type Cell, int, nvarchar, text } from './types.ts'

type Run = { readonly session: Session; readonly answers: Answer[]; readonly signal: AbortSignal }

/** RETURN, and the end of a batch after an error. */
class EndOfBatch extends Error {}

const empty: Env = { cells: [], outer: null }
/** The client puts a FOR JSON text together from rows of this many characters. */
const JSON_PIECE = 2033

export async function runBatch(
  session: Session,
  sql: string,
  parameters: readonly Parameter[] | null,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  const run: Run = { session, answers: [], signal }
  try {
    const statements = parseBatch(sql)
    checkLone(statements)
    const variables = (parameters ?? []).map(
      ({ name, type, cell }) => [name.startsWith('@') ? name : `@${name}`, { type, cell }] as const,
    )
    await session.inScope(variables, parameters !== null, () => runAll(statements, run))
  } catch (problem) {
    if (signal.aborted) return run.answers
    if (problem instanceof ServerError) run.answers.push(errorAnswer(problem))
    else if (!(problem instanceof EndOfBatch)) throw problem
  } finally {
    session.settle()
  }
  return run.answers
}

/** A view's or a plan's statement stands alone. */
function checkLone(statements: readonly Statement[]): void {
  if (statements.length > 1 && statements.some((one) => one.kind === 'option' && one.name.startsWith('SHOWPLAN')))
    throw new ServerError(1067, 'The SET SHOWPLAN statements must be the only statements in the batch.', 15)
}

const errorAnswer = ({ number, message, severity, state }: ServerError): Answer => ({
  kind: 'error',
  number,
  message,
  severity,
  state,
})
const infoAnswer = (number: number, message: string): Answer => ({
  kind: 'info',
  number,
  message,
  severity: 0,
  state: 1,
})

async function runAll(statements: readonly Statement[], run: Run): Promise<void> {
  for (const statement of statements) await runGuarded(statement, run)
}

/** One statement, all of it or nothing; decides what an error ends. */
async function runGuarded(statement: Statement, run: Run): Promise<void> {
  const { session } = run
  run.signal.throwIfAborted()
  if (isFlow(statement)) return runFlow(statement, run)
  const before = session.snapshot()
  try {
    if (session.isPlanning && statement.kind !== 'option') return void plan(statement, run)
    await runStatement(statement, run)
    session.lastError = 0
  } catch (problem) {
    if (problem instanceof EndOfBatch || !(problem instanceof ServerError)) throw problem
    session.restore(before)
    session.lastError = problem.number
    if (isInTry.has(session)) throw problem
    run.answers.push(errorAnswer(problem))
    if (problem.rollsBack || session.isAborting) {
      if (session.depth > 0) session.rollback()
    } else if (problem.endsStatementOnly) {
      run.answers.push(infoAnswer(3621, 'The statement has been terminated.'))
      return
    }
    throw new EndOfBatch()
  } finally {
    session.settle()
  }
}

/** Sessions whose errors a CATCH handles. */
const isInTry = new WeakSet<Session>()

type Flow = Extract<Statement, { kind: 'if' | 'while' | 'block' | 'try' }>
const isFlow = (statement: Statement): statement is Flow => ['if', 'while', 'block', 'try'].includes(statement.kind)

async function runFlow(statement: Flow, run: Run): Promise<void> {
  const { session } = run
  switch (statement.kind) {
    case 'block':
      return runAll(statement.body, run)
    case 'if': {
      const holds = compilePredicate(statement.when, scopeOf(session))(empty) === true
      if (holds) await runGuarded(statement.body, run)
      else if (statement.otherwise) await runGuarded(statement.otherwise, run)
      return
    }
    case 'while':
      while (compilePredicate(statement.when, scopeOf(session))(empty) === true) await runGuarded(statement.body, run)
      return
    case 'try': {
      const wasInTry = isInTry.has(session)
      isInTry.add(session)
      try {
        await runAll(statement.body, run)
        if (!wasInTry) isInTry.delete(session)
      } catch (problem) {
        if (!wasInTry) isInTry.delete(session)
        if (!(problem instanceof ServerError)) throw problem
        session.caught = problem
        await runAll(statement.handler, run)
      }
    }
  }
}

const scopeOf = (session: Session): Scope => ({
  columns: [],
  outer: null,
  ctes: [],
  grouped: null,
  session,
  windows: [],
})

function cellOf(expression: Expression, session: Session): Cell {
  return compileExpression(expression, scopeOf(session)).run(empty)
}

async function runStatement(statement: Exclude<Statement, Flow>, run: Run): Promise<void> {
  const { session, answers } = run
  const scope = scopeOf(session)
  const done = () => void answers.push({ kind: 'done', count: null })
  switch (statement.kind) {
    case 'select':
      return select(statement.query, run)
    case 'insert': {
      await prepare(statement.into, run)
      const executed = statement.source.kind === 'execute' ? await collect(statement.source.call, run) : null
      return changed(insert(statement, scope, executed), 'INSERT', run)
    }
    case 'update':
    case 'delete': {
      const target = statement.from.length > 0 ? ['dbo', 'x'] : statement.target
      await prepare(target, run)
      return statement.kind === 'update'
        ? changed(update(statement, scope), 'UPDATE', run)
        : changed(remove(statement, scope), 'DELETE', run)
    }
    case 'truncate': {
      await prepare(statement.table, run)
      const table = session.tableAt(
        statement.table,
        4701,
        `Cannot find the object "${statement.table.join('.')}" because it does not exist or you do not have permissions.`,
      )
      session.putTable({ ...table, rows: [] })
      session.counters.restartIdentity(table.id)
      return done()
    }
    case 'reseed': {
      const table = session.tableAt(statement.table)
      if (statement.value !== null) session.counters.reseed(table.id, statement.value)
      answers.push(infoAnswer(7998, 'Checking identity information.'))
      return done()
    }
    case 'create-table':
      await prepare(statement.table, run)
      createTable(statement, scope)
      return done()
    case 'drop':
      await prepare(statement.paths[0] ?? [], run)
      drop(statement, scope)
      return done()
    case 'create-index':
    case 'create-schema':
    case 'create-module':
    case 'alter-table':
    case 'alter-schema':
      await session.prepareWrite(run.signal)
      define(statement, scope)
      if (statement.kind === 'create-schema') await runAll(statement.inside, run)
      return done()
    case 'execute':
      return execute(statement, run)
    case 'declare':
      for (const { name, type, table, value } of statement.variables) {
        if (table)
          createTable(
            {
              kind: 'create-table',
              table: [name],
              columns: table,
              constraints: table.flatMap(({ constraints }) => constraints),
            },
            scope,
          )
        else {
          session.declare(name, type, null)
          if (value) assign(name, value, session)
        }
      }
      return
    case 'set':
      return void assign(statement.name, statement.value, session)
    case 'option':
      setOption(statement.name, statement.value, session)
      return done()
    case 'isolation':
      session.isolation = statement.level
      return done()
    case 'begin':
      session.begin()
      return done()
    case 'commit':
      session.commit()
      return done()
    case 'rollback':
      session.rollback()
      return done()
    case 'save':
      return done()
    case 'throw':
      throw thrown(statement.args, session)
    case 'print':
      return void answers.push(
        infoAnswer(
          0,
          String(
            castCell(cellOf(statement.value, session), compileExpression(statement.value, scope).type, text) ?? '',
          ),
        ),
      )
    case 'return':
      throw new EndOfBatch()
    case 'wait':
      return wait(statement.time, run.signal)
  }
}

function define(
  statement: Extract<
    Statement,
    { kind: 'create-index' | 'create-schema' | 'create-module' | 'alter-table' | 'alter-schema' }
  >,
  scope: Scope,
): void {
  switch (statement.kind) {
    case 'create-index':
      return void createIndex(statement, scope)
    case 'create-schema':
      return void createSchema(statement.name, scope)
    case 'create-module':
      return void createModule(statement, scope)
    case 'alter-table':
      return void alterTable(statement, scope)
    case 'alter-schema':
      return void transfer(statement.schema, statement.object, scope)
  }
}

/** Temporary tables belong to the session: they need no lock. */
async function prepare(path: Path, { session, signal }: Run): Promise<void> {
  if (!session.isTemporary(splitPath(path))) await session.prepareWrite(signal)
}

async function changed(change: Change, event: string, run: Run): Promise<void> {
  const { session, answers } = run
  await fireTriggers(change, event, run)
  const { answer, rows } = change
  const count = rows.length
  session.rowCount = count
  if (answer) answers.push(answer)
  else answers.push({ kind: 'done', count: session.isCounting ? count : null })
}

/** AFTER triggers; those that fail take back the statement and its transaction. */
async function fireTriggers({ table, rows }: Change, event: string, run: Run): Promise<void> {
  const { session } = run
  const before = {
    isCounting: session.isCounting,
    triggered: session.triggered,
    scopeIdentity: session.scopeIdentity,
  }
  const image = (name: string, of: 'before' | 'after'): Table => ({
    ...table,
    id: session.counters.nextId(),
    name,
    rows: rows.flatMap((row) => (row[of] ? [row[of]] : [])),
  })
  for (const trigger of session.triggersOf(table, event)) {
    session.triggered = new Map([
      ['INSERTED', image('INSERTED', 'after')],
      ['DELETED', image('DELETED', 'before')],
    ])
    const inner: Run = { ...run, answers: [] }
    try {
      await session.inScope([], true, () => runAll(trigger.body, inner))
    } catch (problem) {
      if (!(problem instanceof EndOfBatch)) throw problem
    } finally {
      session.triggered = before.triggered
      session.isCounting = before.isCounting
      session.scopeIdentity = before.scopeIdentity
    }
    const failed = inner.answers.find((answer) => answer.kind === 'error')
    if (failed) throw new ServerError(failed.number, failed.message, failed.severity, failed.state)
    // what a trigger counts and selects is an answer to the client that changed the rows
    run.answers.push(
      ...inner.answers.filter((one) => one.kind === 'rows' || (one.kind === 'done' && one.count !== null)),
    )
  }
}

function assign(name: string, value: Expression, session: Session): void {
  const compiled = compileExpression(value, scopeOf(session))
  session.assign(name, compiled.run(empty), compiled.type)
}

async function select(query: Query, run: Run): Promise<void> {
  const { session, answers } = run
  const compiled = compileQuery(query, scopeOf(session))
  const into = intoOf(query)
  if (into) await prepare(into, run)
  const rows = compiled.run(null)
  session.rowCount = rows.length
  if (into) {
    if (session.findTable(into))
      throw new ServerError(2714, `There is already an object named '${into.at(-1)}' in the database.`, 16, 6)
    const columns = columnsOfInto(compiled.columns, identityOf(query, session))
    session.putTable({
      kind: 'table',
      id: session.counters.nextId(),
      ...splitPath(into),
      columns,
      rows,
      keys: [],
      foreignKeys: [],
      checks: [],
    })
    answers.push({ kind: 'done', count: session.isCounting ? rows.length : null })
    return
  }
  const isAssignment = query.body.kind === 'select' && query.body.columns.some(({ variable }) => variable !== null)
  if (isAssignment) return
  const columns = compiled.columns.map(({ name, type }) => ({
    name: name ?? '',
    type: type.precision === 0 ? int : type,
  }))
  answers.push({ kind: 'rows', columns, rows: query.json ? pieces(rows) : rows })
}

const pieces = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap(([whole]) => {
    const json = String(whole)
    return Array.from({ length: Math.ceil(json.length / JSON_PIECE) }, (_, index) => [
      json.slice(index * JSON_PIECE, (index + 1) * JSON_PIECE),
    ])
  })

/** INTO of the first branch. */
function intoOf({ body }: Query): Path | null {
  let first = body
  while (first.kind === 'set') first = first.left
  return first.into
}

/** SELECT … INTO keeps IDENTITY where one table is read, which a UNION drops. */
function identityOf({ body }: Query, session: Session): string | null {
  if (body.kind !== 'select' || body.from.length !== 1) return null
  const [from] = body.from
  const table = from?.kind === 'table' ? session.findTable(from.path) : null
  return table?.columns.find(({ isIdentity }) => isIdentity)?.name ?? null
}

async function collect(call: Execute, run: Run) {
  const inner: Run = { ...run, answers: [] }
  await execute(call, inner)
  const sets = inner.answers.flatMap((answer) => (answer.kind === 'rows' ? [answer] : []))
  const [first] = sets
  return { rows: sets.flatMap(({ rows }) => rows), types: first?.columns.map(({ type }) => type) ?? [] }
}

async function execute({ path, args }: Execute, run: Run): Promise<void> {
  const { session, answers } = run
  const values = args.map(({ name, value }) => ({
    name,
    ...(value.kind === 'column' ? { type: nvarchar(4000), cell: value.path.join('.') } : evaluated(value, session)),
  }))
  const procedure = (path.at(-1) ?? '').toLowerCase()
  if (procedure === 'sp_executesql') {
    const [sql, , ...parameters] = values
    const variables = parameters.map(({ name, type, cell }) => [name ?? '', { type, cell }] as const)
    return session.inScope(variables, true, () => runAll(parseBatch(String(sql?.cell ?? '')), run))
  }
  if (procedure === 'sp_rename') {
    await session.prepareWrite(run.signal)
    const [old, name, type] = values
    rename(String(old?.cell), String(name?.cell), type ? String(type.cell) : null, scopeOf(session))
    return void answers.push(
      infoAnswer(15477, 'Caution: Changing any part of an object name could break scripts and stored procedures.'),
      { kind: 'done', count: null },
    )
  }
  if (procedure === 'sp_set_session_context') return void answers.push({ kind: 'done', count: null })
  const found = findObject(session.database, path)
  if (found?.kind !== 'procedure')
    throw new ServerError(2812, `Could not find stored procedure '${path.join('.')}'.`, 16, 62)
  const unknown = values.find(
    ({ name }) => name !== null && !found.parameters.some((one) => one.name.toUpperCase() === name.toUpperCase()),
  )
  if (unknown) throw new ServerError(8145, `${unknown.name} is not a parameter for procedure ${found.name}.`)
  const variables = found.parameters.map((parameter, index) => {
    const given =
      values.find(({ name }) => name?.toUpperCase() === parameter.name.toUpperCase()) ??
      (values[index]?.name === null ? values[index] : undefined)
    if (!given && !parameter.value)
      throw new ServerError(
        201,
        `Procedure or function '${found.name}' expects parameter '${parameter.name}', which was not supplied.`,
        16,
        4,
      )
    const { type, cell } = given ?? evaluated(parameter.value ?? { kind: 'literal', value: '', type: 'null' }, session)
    return [parameter.name, { type: parameter.type, cell: castCell(cell, type, parameter.type) }] as const
  })
  try {
    await session.inScope(variables, true, () => runAll(found.body, run))
  } catch (problem) {
    // RETURN ends the procedure alone
    if (!(problem instanceof EndOfBatch) || answers.at(-1)?.kind === 'error') throw problem
  }
}

function evaluated(value: Expression, session: Session) {
  const compiled = compileExpression(value, scopeOf(session))
  return { type: compiled.type, cell: compiled.run(empty) }
}

function setOption(name: string, value: string, session: Session): void {
  const isOn = value === 'ON'
  if (name === 'NOCOUNT') session.isCounting = !isOn
  else if (name === 'XACT_ABORT') session.isAborting = isOn
  else if (name.startsWith('SHOWPLAN')) session.isPlanning = isOn
  else if (name.startsWith('IDENTITY_INSERT '))
    session.identityInsert = isOn ? session.tableAt(name.slice(16).split('.')).id : null
  else if (name === 'USE' && value.toLowerCase() !== session.database.name.toLowerCase())
    throw new ServerError(911, `Database '${value}' does not exist. Make sure that the name is entered correctly.`)
}

function thrown(args: readonly Expression[], session: Session): ServerError {
  const [number, message] = args
  if (!number || !message)
    return (
      session.caught ??
      new ServerError(10704, 'To rethrow an error, a THROW statement must be used inside a CATCH block.', 15)
    )
  const value = cellOf(number, session)
  return new ServerError(Number(value), String(cellOf(message, session)))
}

/** SHOWPLAN_TEXT: names are bound, nothing is run. */
function plan(statement: Statement, { session, answers }: Run): void {
  if (statement.kind === 'select') compileQuery(statement.query, scopeOf(session))
  const columns = [{ name: 'StmtText', type: nvarchar(4000) }]
  answers.push({ kind: 'rows', columns, rows: [[statement.kind.toUpperCase()]] })
  answers.push({ kind: 'rows', columns, rows: [['  |--Compute Scalar'], ['       |--Constant Scan']] })
}

function wait(time: string, signal: AbortSignal): Promise<void> {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, (hours * 3600 + minutes * 60 + seconds) * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
