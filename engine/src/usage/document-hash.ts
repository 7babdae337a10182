import { createHash } from 'node:crypto'

/** Characters of a document that is read; of longer ones the hash is that of the text. */
const longest = 20_000

/** What GraphQL ignores, block strings, strings, names, numbers, and all else as it is. */
const tokens = /#[^\n\r]*|[\s,\uFEFF]+|"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\])*"|\$?[_A-Za-z]\w*|-?\d[\w.+-]*|[\s\S]/g

/** Literals one after the other: the entries of a list. */
const repeated = /(?<= )(0|"") (?:\1 )*(?=\1(?: |$))/g

/**
 * The hash of a document that was parsed (SHA-256, hexadecimal): the same for documents that differ in strings, numbers, the
 * lengths of lists of these, comments and white space.
 */
export const documentHash = (query: string): string =>
  createHash('sha256')
    .update(query.length > longest ? query : withoutValues(query))
    .digest('hex')

const withoutValues = (query: string): string =>
  (query.match(tokens) ?? []).flatMap(shown).join(' ').replace(repeated, '')

function shown(token: string): string | readonly string[] {
  const first = token.charAt(0)
  if (first === '"') return '""'
  if (first === '#' || first === ',' || first.trim() === '') return []
  return first === '-' || (first >= '0' && first <= '9') ? '0' : token
}
