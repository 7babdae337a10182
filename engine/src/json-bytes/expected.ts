/** What a value is expected to be, in a form that bytes are compared with (docs/remote-schemas.md, "Answers are checked"). */
export interface Expected {
  readonly isNonNull: boolean
  readonly kind: ScalarKind | 'word' | 'list' | 'object'
  /** Of a list. */
  readonly items: Expected | null
  /** Of an object. */
  readonly members: ExpectedMembers | null
  /** Of a word: what it may be. */
  readonly words: ExpectedWords | null
  /** Its type, for messages. */
  readonly type: string
}

export interface ExpectedMembers {
  readonly list: readonly ExpectedMember[]
  /** Numbers in the list, by name. */
  readonly numbers: ReadonlyMap<string, number>
}

export interface ExpectedMember {
  readonly name: string
  /** With its quotes. */
  readonly quoted: Uint8Array
  readonly value: Expected
  /** It is always there. */
  readonly isRequired: boolean
  /** It is not passed on. */
  readonly isHidden: boolean
}

/** Words as JSON texts, and what stands in the place of each in what is passed on; null: the word itself. */
export interface ExpectedWords {
  readonly quoted: readonly Uint8Array[]
  readonly replacements: readonly (Uint8Array | null)[]
  /** Numbers in the lists, by word. */
  readonly numbers: ReadonlyMap<string, number>
}

const plain = { isNonNull: false, items: null, members: null, words: null } as const

export type ScalarKind = 'any' | 'string' | 'integer' | 'number' | 'boolean' | 'id'

export const expectedScalar = (kind: ScalarKind, type: string): Expected => ({ ...plain, kind, type })

export const expectedList = (items: Expected): Expected => ({ ...plain, kind: 'list', items, type: `[${items.type}]` })

export const nonNullExpected = (of: Expected): Expected => ({ ...of, isNonNull: true, type: `${of.type}!` })

export function expectedWord(
  words: readonly string[],
  type: string,
  replacementOf?: (word: string) => string,
): Expected {
  const replacements = words.map((word) => {
    const other = replacementOf?.(word) ?? word
    return other === word ? null : Buffer.from(JSON.stringify(other))
  })
  const numbers = new Map(words.map((word, i) => [word, i]))
  const quoted = words.map((word) => Buffer.from(JSON.stringify(word)))
  return { ...plain, kind: 'word', words: { quoted, replacements, numbers }, type }
}

export function expectedObject(members: readonly Omit<ExpectedMember, 'quoted'>[], type: string): Expected {
  const list = members.map((member) => ({ ...member, quoted: Buffer.from(JSON.stringify(member.name)) }))
  const numbers = new Map(list.map(({ name }, i) => [name, i]))
  return { ...plain, kind: 'object', members: { list, numbers }, type }
}
