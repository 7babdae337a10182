import { exactNumber } from './raw-number.ts'

/**
 * JSON.parse for request bodies: numbers keep all their digits, so a bigint in a variable is the one that was sent.
 * Throws as JSON.parse does.
 */
export function parseExactly(text: string): unknown {
  // a reviver makes parsing several times slower, and hardly any body needs it
  if (!/\d{16}|\d[eE]\+?\d{3}|\d\.\d{10}|\d{10}\./.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(source) : value,
  )
}
