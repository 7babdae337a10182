import type { CountRowsArgs, DeleteRowsArgs, InsertRowsArgs, Json, SelectRowsArgs, UpdateRowsArgs } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import {
  bindValue,
  insertUnit,
  runUnits,
  sourceConnection,
  type TraceOf,
  type Validation,
  valuesAllowance,
  type WriteUnit,
  writeUnit,
} from '../execute/index.ts'
import type { RootQuery, Write } from '../ir/index.ts'
import type { InputValidation, Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import { RoleRows } from './role-rows.ts'
import { countQuery, selectQuery } from './select-rows.ts'
import { answerOf, deleteOf, insertOf, updateOf } from './write-rows.ts'

/** An operation on rows (reference/row-api). */
export type RowOperation =
  | { readonly type: 'select'; readonly args: SelectRowsArgs }
  | { readonly type: 'count'; readonly args: CountRowsArgs }
  | { readonly type: 'insert'; readonly args: InsertRowsArgs }
  | { readonly type: 'update'; readonly args: UpdateRowsArgs }
  | { readonly type: 'delete'; readonly args: DeleteRowsArgs }

export interface RowOptions {
  readonly model: Model
  readonly session: Session
  /** What triggers of the tables that are written find as svc.tracecontext. */
  readonly trace?: TraceOf
  /** Calls the webhooks of `validate_input`; absent: none can be called, and what they guard is refused. */
  readonly validate?: (validation: Validation, session: Session) => Promise<void>
  /** Its abort ends what is not stored yet: rejects with its reason then. */
  readonly signal?: AbortSignal
  /** Of the arguments: where errors are. */
  readonly path: Path
  /** Characters of values, bytes of an answer. */
  readonly most: number
}

/**
 * Runs an operation as the role of the session, a write in a transaction of its own. Throws not-exists, permission-denied,
 * unexpected-payload, and what the database says as reference/mutations#errors-of-the-database has it.
 */
export async function runRowOperation({ type, args }: RowOperation, options: RowOptions): Promise<Json> {
  const { model, session, path } = options
  const rows = new RoleRows(model, session)
  const access = rows.table(args.source, args.table, path)
  switch (type) {
    case 'select': {
      const query = selectQuery(rows, rows.selecting(access, path), args, path)
      return ask(query, args.source, options)
    }
    case 'count': {
      const query = countQuery(rows, rows.selecting(access, path), args, path)
      const answer = (await ask(query, args.source, options)) as { readonly rows: { readonly count: Json } }
      return { count: answer.rows.count }
    }
    case 'insert': {
      const table = rows.writing(access, 'insert', path)
      const answer = answerOf(rows, access, args.returning, path)
      const insert = insertOf(rows, table, args, path)
      return write(args.source, options, validationOf(table.insert, args.objects), (bind) =>
        insertUnit(insert, answer, bind),
      )
    }
    case 'update': {
      const table = rows.writing(access, 'update', path)
      const answer = answerOf(rows, access, args.returning, path)
      const { source: _, table: __, returning: ___, ...input } = args
      const validation = validationOf(table.update, [input])
      return writeOne(updateOf(rows, table, args, answer, path), args.source, options, validation)
    }
    case 'delete': {
      const table = rows.writing(access, 'delete', path)
      const answer = answerOf(rows, access, args.returning, path)
      const validation = validationOf(table.delete, [{ where: args.where }])
      return writeOne(deleteOf(rows, table, args, answer, path), args.source, options, validation)
    }
  }
}

function validationOf(
  grant: { readonly validateInput: InputValidation | null } | null,
  input: unknown,
): Validation | null {
  return grant?.validateInput ? { by: grant.validateInput, input } : null
}

const writeOne = (one: Write, source: string, options: RowOptions, validation: Validation | null) =>
  write(source, options, validation, (binding) => writeUnit(one, options.path, binding))

type Binding = Parameters<typeof insertUnit>[2]

function bindingOf(source: string, options: RowOptions): Binding {
  const { model, session, most } = options
  const backend = model.input.sources.get(source)?.backend
  if (!backend) throw new ApiError('not-exists', options.path.at('source'), `source "${source}" does not exist`)
  const bindings = { templates: new Map(), variables: {}, session, allowance: valuesAllowance(most) }
  return { backend, source, bindings, options: compileOptions(model) }
}

const compileOptions = ({ input: { settings } }: Model) => ({ stringifyNumericTypes: settings.stringifyNumericTypes })

async function write(
  source: string,
  options: RowOptions,
  validation: Validation | null,
  unitOf: (binding: Binding) => WriteUnit,
): Promise<Json> {
  const { model, session, trace, signal, path, most } = options
  const binding = bindingOf(source, options)
  const unit = unitOf(binding)
  if (validation) {
    if (!options.validate) throw new ApiError('not-supported', path, 'webhooks cannot be called here')
    await options.validate(validation, session).catch((error: unknown) => {
      throw at(error, path)
    })
  }
  const answerSize = { left: most, refusal: 'the answer is too large' }
  const [answer = []] = await runUnits([unit], {
    connection: sourceConnection(model, source),
    session,
    answerSize,
    ...(trace && { trace }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw at(error, path)
  })
  return parseExactly(Buffer.concat(answer).toString()) as Json
}

async function ask(query: RootQuery, source: string, options: RowOptions): Promise<Json> {
  const { backend, bindings, options: compile } = bindingOf(source, options)
  const compiled = backend.compileQuery(query, compile)
  const parameters = compiled.slots.map((slot) => bindValue(slot, backend.types, bindings))
  const answer = await sourceConnection(options.model, source)
    .query(compiled, parameters, options.signal, undefined, { role: options.session.role, operationName: null })
    .catch((error: unknown) => {
      throw at(error, options.path)
    })
  return parseExactly(answer.toString()) as Json
}

/** What the database says is about the arguments as a whole. */
const at = (error: unknown, path: Path): unknown =>
  error instanceof ApiError && error.path.keys.length === 0 ? error.under(path) : error
