import { escapeUri } from '../templates/index.ts'

export type QueryPair = readonly [key: string, value: string | null]

/** The pairs of a query string without its `?`; a key without `=` has no value. */
export function queryPairs(query: string): readonly QueryPair[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      if (equals === -1) return [percentDecode(part), null]
      return [percentDecode(part.slice(0, equals)), percentDecode(part.slice(equals + 1))]
    })
}

/** Everything but A–Z a–z 0–9 `-_.~` is percent-encoded. */
export const writeQuery = (pairs: readonly QueryPair[]): string =>
  pairs.map(([key, value]) => (value === null ? escapeUri(key) : `${escapeUri(key)}=${escapeUri(value)}`)).join('&')

/** A `%` that begins no escape stands for itself. */
function percentDecode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  const escaped = spaced.replace(/%(?![0-9a-fA-F]{2})/g, '%25')
  try {
    return decodeURIComponent(escaped)
  } catch {
    return spaced // its bytes are no UTF-8
  }
}

/** Returns a URL's text in three parts; the fragment is dropped. */
export function splitQuery(url: string): { readonly bare: string; readonly query: string | null } {
  const [whole = ''] = url.split('#')
  const mark = whole.indexOf('?')
  return mark === -1 ? { bare: whole, query: null } : { bare: whole.slice(0, mark), query: whole.slice(mark + 1) }
}
