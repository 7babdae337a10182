/**
 * Returns a message of PostgreSQL without the values that it quotes, or null where `isOwn` is true of each of them: a
 * condition of a client is tried on rows before the permission's filter is, and what goes wrong there quotes the row.
 * Values may hold quotes themselves, so everything from the first to the last goes.
 */
export function maskQuoted(message: string, isOwn: (value: string) => boolean): string | null {
  const first = message.search(QUOTE)
  if (first < 0) return null
  let last = message.length - 1
  while (!QUOTE.test(message.charAt(last))) last -= 1
  const known = (value: string) => value === 'UTF8' || isOwn(value)
  if (known(message.slice(first + 1, last))) return null
  const quoted = [...message.matchAll(/"([^"]*)"/g)]
  const isWhole = quoted.length > 0 && !QUOTE.test(message.replaceAll(/"[^"]*"/g, ''))
  if (isWhole && quoted.every(([, value = '']) => known(value))) return null
  return `${message.slice(0, first)}"…"${message.slice(last + 1)}`
}

/** In any of the languages that PostgreSQL speaks. */
const QUOTE = /["«»„“”‚‘’「」『』]/
