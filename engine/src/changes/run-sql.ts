import { findObject, type RunSqlArgs, sourceAddress } from '@svc/schema'
import type { Inspect, Introspection, OpenTransaction, RunSqlResult, SourceKind } from '../backends/index.ts'
import { ApiError, type Path } from '../errors.ts'
import { refuseOtherKind } from '../metadata/index.ts'
import type { Session } from '../session.ts'
import {
  checkQueries,
  declaredIn,
  type ReadySource,
  readEnums,
  readFunctions,
  type SourceState,
} from '../sources/index.ts'
import { adaptToSchema } from './adapt-to-schema.ts'
import type { Draft } from './draft.ts'

/**
 * Whether SQL may change what metadata rests on (reference/metadata-operations#sql): a word is enough to suspect it. Triggers,
 * rules and tables that inherit change how rows are written.
 */
export function checksMetadata({ sql, read_only, check_metadata_consistency }: RunSqlArgs): boolean {
  if (read_only) return false
  return check_metadata_consistency ?? suspicious.test(sql)
}

const suspicious =
  /\b(alter|drop|sp_rename|replace|create\s+function|comment\s+on|create\s+(constraint\s+)?trigger|create\s+rule|inherits)\b/i

/**
 * The source a statement goes to. Throws not-exists; unexpected when it cannot be reached
 * (reference/metadata-requests#consistency).
 */
export function readySource(
  draft: Draft,
  source: string,
  path: Path,
  /** That it has to be of; null: any. */
  kind: SourceKind | null = null,
): SourceState & { readonly status: 'ready' } {
  if (!findObject(draft.document, sourceAddress(source)))
    throw new ApiError('not-exists', path, `source with name "${source}" does not exist`)
  if (kind) refuseOtherKind(draft.document, { name: source, at: path }, kind, path)
  const state = draft.states.get(source)
  if (state?.status !== 'ready') throw new ApiError('unexpected', path, `source with name "${source}" is inconsistent`)
  return state
}

/** `trace`: JSON for triggers, which find it as svc.tracecontext. */
export type RunSqlRequest = RunSqlArgs & {
  readonly trace: string | null
  /** Of the admin. */
  readonly session?: Session
}

/** How a draft changes by SQL that ran. Throws what refuses the change. */
export type UpdateDraft = (draft: Draft) => Draft

/** run_sql without a check of metadata. */
export function runPlainSql(draft: Draft, args: RunSqlRequest, path: Path): Promise<RunSqlResult> {
  return runScript(readySource(draft, args.source, path), args, path, null)
}

/**
 * run_sql with the check of metadata (reference/metadata-operations#sql). `store` is called inside the transaction with
 * what adapts a draft to the database as the SQL left it; if it throws, the SQL is rolled back. The draft's read the
 * source must be new.
 */
export function runCheckedSql(
  draft: Draft,
  args: RunSqlRequest,
  path: Path,
  store: (adapt: UpdateDraft, transaction: OpenTransaction) => Promise<void>,
): Promise<RunSqlResult> {
  const { source, cascade } = args
  const state = readySource(draft, source, path)
  const { backend, introspection: before, enums: marked, functions: known, queries } = state
  // what runs outside of a transaction is there at once, whatever metadata says of it
  if (!state.connection.openTransaction) return runScript(state, args, path, null)
  return runScript(state, args, path, async (transaction) => {
    const after = await transaction.introspect(before)
    const moved = movedKeys(marked.keys(), before, after)
    const enums = await readEnums(marked, moved, after, transaction)
    const functions = await readFunctions(known, known.keys(), transaction)
    const checked = await checkQueries(queries, declaredIn(queries), true, { backend, connection: transaction })
    const step = { source, before, after, enums, functions, queries: checked, cascade, path }
    await store((other) => adaptToSchema(other, step), transaction)
  })
}

function runScript(
  { name, connection }: ReadySource,
  args: RunSqlRequest,
  path: Path,
  inspect: Inspect | null,
): Promise<RunSqlResult> {
  if (!connection.runSql) throw new ApiError('not-supported', path, `source with name "${name}" runs no SQL`)
  return connection.runSql(scriptOf(args), path, inspect)
}

/** The own keys that tables have after SQL ran: a renamed one is known by its identity. */
function movedKeys(keys: Iterable<string>, before: Introspection, after: Introspection): readonly string[] {
  const marked = [...keys]
  if (marked.length === 0) return []
  const byOid = new Map([...after.tables].map(([key, { oid }]) => [oid, key]))
  return marked.map((key) => byOid.get(before.tables.get(key)?.oid ?? '') ?? key)
}

const scriptOf = ({ sql, read_only, no_transaction, trace, session }: RunSqlRequest) => ({
  sql,
  readOnly: read_only,
  noTransaction: no_transaction,
  ...(trace !== null && { trace }),
  ...(session && { session }),
})
