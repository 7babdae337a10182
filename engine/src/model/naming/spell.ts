/** How generated names are spelled (reference/graphql-schema#the-naming-convention-graphql-default). */
export const namingConventions = ['svc-default', 'graphql-default'] as const
export type NamingConvention = (typeof namingConventions)[number]

/** A piece of a generated name: words joined by `_`, or a name that a user chose, which remains in one piece. */
export type NamePiece = string | { readonly custom: string }

/** `author_local`, `by_pk` -> `author_local_by_pk` or `authorLocalByPk`. */
export const fieldName = (convention: NamingConvention, ...pieces: readonly NamePiece[]): string =>
  spell(convention, pieces, lowerFirst)

/**
 * `author_local`, `bool_exp` -> `author_local_bool_exp` or `AuthorLocalBoolExp`. A custom name in front is unchanged.
 */
export const typeName = (convention: NamingConvention, ...pieces: readonly NamePiece[]): string =>
  spell(convention, pieces, upperFirst)

/** Only first letters change their case, underscores in front are unchanged: `ID` -> `iD`, `_is_null` -> `_isNull`. */
function spell(
  convention: NamingConvention,
  pieces: readonly NamePiece[],
  ofFirstWord: (word: string) => string,
): string {
  switch (convention) {
    case 'svc-default':
      return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.custom)).join('_')
    case 'graphql-default':
      return pieces.map((piece, i) => (i === 0 ? first(piece, ofFirstWord) : following(piece))).join('')
  }
}

function first(piece: NamePiece, ofFirstWord: (word: string) => string): string {
  if (typeof piece !== 'string') return piece.custom
  const [word = '', ...others] = wordsOf(piece)
  return `${/^_*/.exec(piece)?.[0] ?? ''}${ofFirstWord(word)}${others.map(upperFirst).join('')}`
}

const following = (piece: NamePiece): string =>
  typeof piece === 'string' ? wordsOf(piece).map(upperFirst).join('') : upperFirst(piece.custom)

const wordsOf = (text: string): readonly string[] => text.split('_').filter((word) => word !== '')

export const upperFirst = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

const lowerFirst = (word: string): string => `${word.slice(0, 1).toLowerCase()}${word.slice(1)}`
