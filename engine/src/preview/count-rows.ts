import type { Json, JsonObject } from '@svc/schema'
import { ApiError } from '../errors.ts'
import { bindValue, sourceConnection, valuesAllowance } from '../execute/index.ts'
import { changedFor, modelPair } from '../graphql/index.ts'
import { allOf, type BooleanExpression } from '../ir/index.ts'
import { type Model, type ResolvedRows, rowsOf, selectGrant } from '../model/index.ts'
import { adminRole, type Session, variableName } from '../session.ts'
import { sessionVariables } from './conditions/session-variables.ts'

/** Characters of the values of one statement. */
const mostValues = 1_000_000

interface Counting {
  readonly milliseconds: number
  /** Values of session variables, by any spelling of their names. */
  readonly variables: Readonly<Record<string, string>>
}

/**
 * How many rows of each table a role may select after a change and not before, and the reverse, where its filter
 * changed. Tables that were not counted within the time are named, and so are the session variables that a filter needs
 * and the request does not have.
 */
export async function countRows(before: Model, after: Model, { milliseconds, variables }: Counting): Promise<Json> {
  const pair = modelPair(before, after)
  const ends = AbortSignal.timeout(milliseconds)
  const rows: JsonObject[] = []
  let isWhole = true
  for (const role of [...new Set([...before.roles, ...after.roles])].filter((one) => one !== adminRole).sort())
    for (const id of changedFor(pair, role)) {
      const filters = filtersOf(pair, role, id)
      if (!filters) continue
      const { from, old, now } = filters
      const of = { role, source: from.source, table: { ...from.table } }
      const session = sessionOf(role, variables, after)
      const missing = [...sessionVariables(allOf([old ?? none, now ?? none]))].filter(
        (name) => !session.variables.has(name),
      )
      if (missing.length > 0) {
        rows.push({ ...of, needs: missing.sort() })
        continue
      }
      try {
        rows.push({ ...of, ...(await countDifference(after, from, { old, now }, session, ends)) })
      } catch (error) {
        if (ends.aborted) isWhole = false
        else if (!(error instanceof ApiError)) throw error
        rows.push({ ...of, not_counted: ends.aborted ? 'the time is over' : (error as ApiError).message })
      }
    }
  return { rows, complete: isWhole }
}

/** No one sees anything. */
const none: BooleanExpression = { kind: 'or', of: [] }

interface Filters {
  readonly from: ResolvedRows
  /** Null: no permission. */
  readonly old: BooleanExpression | null
  readonly now: BooleanExpression | null
}

/** Null: the role sees the same rows. */
function filtersOf(
  { before, after }: { readonly before: Model; readonly after: Model },
  role: string,
  id: string,
): Filters | null {
  const [one, other] = [rowsOf(before, id), rowsOf(after, id)]
  const from = other ?? one
  if (from?.kind !== 'table') return null
  const old = one ? (selectGrant(one, role, before.inheritedRoles.get(role))?.filter ?? null) : null
  const now = other ? (selectGrant(other, role, after.inheritedRoles.get(role))?.filter ?? null) : null
  return old === now ? null : { from, old, now }
}

function sessionOf(role: string, given: Readonly<Record<string, string>>, { input }: Model): Session {
  const prefix = input.settings.headerPrefix
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) variables.set(variableName(name, prefix) ?? name, value)
  return {
    role,
    variables: variables.set(`${prefix ?? 'x-svc-'}role`, role),
    backendOnly: false,
    ...(prefix && { prefix }),
  }
}

/** Both filters together are counted too: SQL's null would hide rows from `now AND NOT old`. */
async function countDifference(
  model: Model,
  from: ResolvedRows,
  { old, now }: Pick<Filters, 'old' | 'now'>,
  session: Session,
  signal: AbortSignal,
): Promise<JsonObject> {
  const count = (where: BooleanExpression | null) => (where ? countWhere(model, from, where, session, signal) : 0)
  const [before, after, both] = [await count(old), await count(now), await count(old && now && allOf([old, now]))]
  return { before, after, more: after - both, fewer: before - both }
}

async function countWhere(
  model: Model,
  { source, table }: ResolvedRows,
  where: BooleanExpression,
  session: Session,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted()
  const connection = sourceConnection(model, source)
  const backend = model.input.sources.get(source)?.backend
  if (!backend) return 0
  const rows = { where, orderBy: [], distinctOn: [], limit: null, offset: null, permissionLimit: null }
  const counted = { kind: 'count', as: 'count', of: [], distinct: false } as const
  const compiled = backend.compileQuery(
    { kind: 'aggregate', from: table, rows, fields: [{ kind: 'aggregate', as: 'rows', fields: [counted] }] },
    { stringifyNumericTypes: false },
  )
  const bindings = { templates: new Map(), variables: {}, session, allowance: valuesAllowance(mostValues) }
  const texts = compiled.slots.map((slot) => bindValue(slot, backend.types, bindings))
  const answer = JSON.parse((await connection.query(compiled, texts, signal)).toString('utf8')) as {
    readonly rows: { readonly count: number }
  }
  return Number(answer.rows.count)
}
