/**
 * SQL as fragments: text pieces and bound values. `sql` takes only fragments, so a bare string between
 * `${}` is a type error; identifiers come in through `ident`, values through `bind` or `parameter`.
 */

/** A value that is known only when the statement runs, or a constant; `Slot` is what the compiler's user keeps. */
export interface Sql<Slot = never> {
  readonly parts: readonly Part<Slot>[]
}

type Part<Slot> = string | { readonly bind: Slot }

export function sql<Slot = never>(texts: TemplateStringsArray, ...fragments: readonly Sql<Slot>[]): Sql<Slot> {
  const parts: Part<Slot>[] = []
  texts.forEach((text, i) => {
    if (text !== '') parts.push(text)
    const fragment = fragments[i]
    if (fragment) for (const part of fragment.parts) parts.push(part)
  })
  return { parts }
}

/** A quoted identifier, safe for every input. PostgreSQL cannot hold NUL, so a NUL is refused by dropping out of the catalogue's names. */
export function ident(name: string): Sql {
  return { parts: [`"${name.replaceAll('"', '""').replaceAll('\0', '')}"`] }
}

/** SQL that an administrator has written: the one text that is neither ours nor quoted. */
export function verbatim(text: string): Sql {
  return { parts: [text] }
}

/** A slot that becomes `$n`; equal slots (by reference) share one number. */
export function bind<Slot>(slot: Slot): Sql<Slot> {
  return { parts: [{ bind: slot }] }
}

/** A string literal, for places where the database takes no parameter. Written as E'' only when it holds a backslash. */
export function literal(value: string): Sql {
  const text = value.replaceAll("'", "''").replaceAll('\0', '')
  return { parts: [text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\')}'` : `'${text}'`] }
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

export interface Statement<Slot> {
  readonly text: string
  readonly slots: readonly Slot[]
}

/** Prints with `$1…$n`. */
export function print<Slot>(fragment: Sql<Slot>): Statement<Slot> {
  const slots: Slot[] = []
  const numbers = new Map<Slot, number>()
  const texts: string[] = []
  for (const part of fragment.parts) {
    if (typeof part === 'string') {
      texts.push(part)
      continue
    }
    let number = numbers.get(part.bind)
    if (number === undefined) {
      slots.push(part.bind)
      number = slots.length
      numbers.set(part.bind, number)
    }
    texts.push(`$${number}`)
  }
  // joined into one piece: a text that was added to takes ten times its length until it is first read
  return { text: texts.join(''), slots }
}

/** The same with something else in the place of every slot. */
export function replaceSlots<Slot, Other>(fragment: Sql<Slot>, replace: (slot: Slot) => Sql<Other>): Sql<Other> {
  return { parts: fragment.parts.flatMap((part) => (typeof part === 'string' ? [part] : replace(part.bind).parts)) }
}

/** Prints with every slot replaced by what `show` makes of it: explain inlines its literals (spec 02 §7.6). */
export function printInlined<Slot>(fragment: Sql<Slot>, show: (slot: Slot) => Sql): string {
  return fragment.parts.map((part) => (typeof part === 'string' ? part : print(show(part.bind)).text)).join('')
}
