import type { Value } from '../../../ir/index.ts'
import type { Client, Pool, Request } from './load-client.ts'

/** A statement of T-SQL with the texts of its parameters, `@p1` first. */
export interface SentStatement {
  readonly text: string
  readonly parameters: readonly (string | null)[]
  /** What the parameters are; absent: texts. */
  readonly slots?: readonly Value[]
}

/**
 * Parameters of one call: the server takes 2,100, of which the statement itself and its declarations are two. More come as one
 * text, and are variables of the statement.
 */
const MOST = 2000
/** Columns of one SELECT that assigns variables; the server accepts 4,096. */
const MOST_ASSIGNED = 1000

/** Binds a statement's parameters to a request of this pool, and returns the text to be sent. */
export function bindParameters(
  client: Client,
  pool: Pool,
  request: Request,
  { text, parameters, slots }: SentStatement,
): string {
  const mayBeNarrow = hasCollation(pool)
  const own = parameters.length > MOST ? MOST : parameters.length
  for (let i = 0; i < own; i++) {
    const value = parameters[i] ?? null
    const isNarrow = mayBeNarrow && value !== null && isNarrowSlot(slots?.[i]) && isAscii(value)
    request.input(`p${i + 1}`, isNarrow ? client.VarChar(client.MAX) : client.NVarChar(client.MAX), value)
  }
  if (own === parameters.length) return text
  request.input('rest', client.NVarChar(client.MAX), JSON.stringify(parameters.slice(own)))
  return `${restOf(parameters.length, own)}${text}`
}

/** Without one, which a server says at login, the client encodes no text of char. */
const hasCollation = (pool: Pool & { readonly collation?: unknown }): boolean =>
  pool.collation !== undefined && pool.collation !== null

/** Compared with a column of char, a text of the same kind can use the column's index. */
function isNarrowSlot(slot: Value | undefined): boolean {
  if (!slot || slot.kind === 'session-variables' || slot.type.list) return false
  const { schema, name } = slot.type.type
  return schema === 'sys' && (name === 'varchar' || name === 'char')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what is meant
const isAscii = (text: string): boolean => /^[\x01-\x7f]*$/.test(text)

/** Declares the variables behind the parameters, and reads their values from `@rest`. */
function restOf(count: number, from: number): string {
  const names = Array.from({ length: count - from }, (_, i) => `@p${from + i + 1}`)
  const parts = [`DECLARE ${names.map((name) => `${name} nvarchar(max)`).join(', ')};`]
  for (let at = 0; at < names.length; at += MOST_ASSIGNED) {
    const assigned = names
      .slice(at, at + MOST_ASSIGNED)
      .map((name, i) => `${name} = MAX(CASE [r].[key] WHEN N'${at + i}' THEN [r].[value] END)`)
    parts.push(`SELECT ${assigned.join(', ')} FROM OPENJSON(@rest) AS [r];`)
  }
  return `${parts.join('\n')}\n`
}
