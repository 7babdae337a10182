/**
 * SQL as fragments: text pieces and bound values. `sql` takes only fragments, so a bare string between
 * `${}` is a type error; identifiers come in through `ident`, values through `bind` or `parameter`.
 */

/**
 * A value that is known only when the statement runs, or a constant; `Slot` is what the compiler's caller puts there.
 */
export interface Sql<Slot = never> {
  readonly parts: readonly Part<Slot>[]
}

type Part<Slot> = string | { readonly bind: Slot } | { readonly identifier: string } | { readonly literal: string }

/** How a database writes names, texts and the places of bound values. */
export interface Dialect {
  /** Quoted, safe for every input. */
  identifier(name: string): string
  literal(text: string): string
  /** Of the n-th bound value, from 1. */
  placeholder(position: number): string
}

/** PostgreSQL's. It cannot hold NUL, so a NUL is refused by dropping out of the catalogue's names. */
const postgresDialect: Dialect = {
  identifier: (name) => `"${name.replaceAll('"', '""').replaceAll('\0', '')}"`,
  // E'' only where it holds a backslash
  literal(value) {
    const text = value.replaceAll("'", "''").replaceAll('\0', '')
    return text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\')}'` : `'${text}'`
  },
  placeholder: (position) => `$${position}`,
}

export function sql<Slot = never>(texts: TemplateStringsArray, ...fragments: readonly Sql<Slot>[]): Sql<Slot> {
  const parts: Part<Slot>[] = []
  texts.forEach((text, i) => {
    if (text !== '') parts.push(text)
    const fragment = fragments[i]
    if (fragment) for (const part of fragment.parts) parts.push(part)
  })
  return { parts }
}

/** A quoted identifier, safe for every input. */
export function ident(name: string): Sql {
  return { parts: [{ identifier: name }] }
}

/** SQL that an administrator has written: the one text that is neither ours nor quoted. */
export function verbatim(text: string): Sql {
  return { parts: [text] }
}

/** A slot that becomes `$n`; equal slots (by reference) share one number. */
export function bind<Slot>(slot: Slot): Sql<Slot> {
  return { parts: [{ bind: slot }] }
}

/** A string literal, for places where the database accepts no parameter. */
export function literal(value: string): Sql {
  return { parts: [{ literal: value }] }
}

/** A number printed as such: LIMIT, ordinal positions. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError('integer() takes a safe integer')
  return { parts: [String(value)] }
}

export function join<Slot>(fragments: readonly Sql<Slot>[], separator: Sql): Sql<Slot> {
  const parts: Part<Slot>[] = []
  fragments.forEach((fragment, i) => {
    if (i > 0) parts.push(...separator.parts)
    for (const part of fragment.parts) parts.push(part)
  })
  return { parts }
}

/** Returns a name with its schema, if it has one: `[#inserted]` is a name of the statement. */
export const tableName = ({ schema, name }: { readonly schema: string; readonly name: string }): Sql =>
  schema === '' ? ident(name) : sql`${ident(schema)}.${ident(name)}`

/** What a condition that is always true is in one of the dialects. */
const alwaysTrue: ReadonlySet<unknown> = new Set(['true', 'TRUE', '(1=1)'])

/** Returns ` WHERE …` of all of these, or nothing when they are always true. */
export function compileWhere<Slot>(conditions: readonly Sql<Slot>[]): Sql<Slot> {
  const present = conditions.filter(({ parts }) => parts.length !== 1 || !alwaysTrue.has(parts[0]))
  return present.length === 0 ? sql`` : sql` WHERE ${join(present, sql` AND `)}`
}

/** Returns conditions as one; `empty`: what it is without any. */
export function combineConditions<Slot>(conditions: readonly Sql<Slot>[], by: Sql, empty: Sql): Sql<Slot> {
  const [only] = conditions
  if (!only) return empty
  return conditions.length === 1 ? only : sql`(${join(conditions, by)})`
}

/** Returns the condition by which the row in `to` belongs to the row in `from`. */
export const compileJoin = (
  { columns }: { readonly columns: readonly { readonly from: string; readonly to: string }[] },
  from: Sql,
  to: Sql,
): Sql =>
  join(
    columns.map((pair) => sql`(${to}.${ident(pair.to)} = ${from}.${ident(pair.from)})`),
    sql` AND `,
  )

/**
 * Returns a native query as it is after FROM. The end of a line ends a comment that its SQL may end in; a semicolon may
 * end a statement, and no subquery.
 */
export function compileQueryText<Value, Slot>(
  { parts }: { readonly parts: readonly (string | Value)[] },
  compileValue: (value: Value) => Sql<Slot>,
): Sql<Slot> {
  const compiled = parts.map((part, i) => {
    if (typeof part !== 'string') return compileValue(part)
    return verbatim(i === parts.length - 1 ? part.replace(/[\s;]+$/, '') : part)
  })
  return sql`(${join(compiled, sql``)}\n)`
}

/** The text of a fragment, and its slots in the order of their parameters. */
export interface PrintedSql<Slot> {
  readonly text: string
  readonly slots: readonly Slot[]
}

/** Prints with `$1…$n`, or as another dialect has it. */
export function print<Slot>(fragment: Sql<Slot>, dialect: Dialect = postgresDialect): PrintedSql<Slot> {
  const printer = new Printer<Slot>(dialect)
  printer.add(fragment)
  return printer.statement()
}

/** Prints fragments one behind another, equal slots of all of them with one number. */
export class Printer<Slot> {
  readonly #dialect: Dialect
  readonly #slots: Slot[] = []
  readonly #numbers = new Map<Slot, number>()
  readonly #texts: string[] = []

  constructor(dialect: Dialect = postgresDialect) {
    this.#dialect = dialect
  }

  add({ parts }: Sql<Slot>): void {
    for (const part of parts) {
      if (typeof part === 'string' || !('bind' in part)) this.#texts.push(printPart(part, this.#dialect))
      else this.#texts.push(this.#dialect.placeholder(this.#numberOf(part.bind)))
    }
  }

  statement(): PrintedSql<Slot> {
    // joined into one piece: a text that was added to takes ten times its length until it is first read
    return { text: this.#texts.join(''), slots: this.#slots }
  }

  #numberOf(slot: Slot): number {
    const known = this.#numbers.get(slot)
    if (known !== undefined) return known
    const number = this.#slots.push(slot)
    this.#numbers.set(slot, number)
    return number
  }
}

/** What stands before a slot and what behind it. */
export function aroundSlot<Slot>({ parts }: Sql<Slot>, slot: Slot): readonly [before: Sql<Slot>, after: Sql<Slot>] {
  const at = parts.findIndex((part) => typeof part === 'object' && 'bind' in part && part.bind === slot)
  return [{ parts: parts.slice(0, at) }, { parts: parts.slice(at + 1) }]
}

/** The same with something else in the place of every slot. */
export function replaceSlots<Slot, Other>(fragment: Sql<Slot>, replace: (slot: Slot) => Sql<Other>): Sql<Other> {
  return {
    parts: fragment.parts.flatMap((part) =>
      typeof part === 'object' && 'bind' in part ? replace(part.bind).parts : [part],
    ),
  }
}

/**
 * Prints with every slot replaced by its text, null by NULL: explain inlines its literals (reference/queries#explain).
 */
export function printInlined<Slot>(
  fragment: Sql<Slot>,
  show: (slot: Slot) => string | null,
  dialect: Dialect = postgresDialect,
): string {
  const texts: string[] = []
  for (const part of fragment.parts) {
    if (typeof part === 'string' || !('bind' in part)) texts.push(printPart(part, dialect))
    else {
      const value = show(part.bind)
      texts.push(value === null ? 'NULL' : dialect.literal(value))
    }
  }
  return texts.join('')
}

type Fixed = Exclude<Part<never>, { readonly bind: never }>

function printPart(part: Fixed, dialect: Dialect): string {
  if (typeof part === 'string') return part
  return 'identifier' in part ? dialect.identifier(part.identifier) : dialect.literal(part.literal)
}
