/** Texts that try to get out of whatever quotes them; the same ones on every run. */

const pieces = [
  '"',
  "'",
  '\\',
  '$1',
  '$$',
  ';',
  '--',
  '/*',
  '*/',
  ' ',
  '.',
  ',',
  '(',
  ')',
  '{',
  '}',
  'NULL',
  'null',
  'é',
  '😀',
  '\n',
  '\t',
  '%',
  '_',
  '[0]',
  ':',
  '::int',
  '?',
  '@>',
  'drop table x',
  'a',
  'Z',
  '0',
  't.0',
  'row.json',
  '\u2028',
  '\u0001',
  "E'",
  'U&"',
  '`',
]

/** `count` texts of up to `longest` pieces. */
export function hostileTexts(count: number, longest = 8): readonly string[] {
  const random = generator(20_240_501)
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + (random() % longest) }, () => pieces[random() % pieces.length] ?? '').join(''),
  )
}

/** Of whole numbers (xorshift). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
