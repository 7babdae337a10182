import { exactNumber, keepsDigits } from './raw-number.ts'

/**
 * JSON.parse for request bodies: numbers keep all their digits, so a bigint in a variable is the one that was sent.
 * Throws as JSON.parse does.
 */
export function parseExactly(text: string): unknown {
  // a reviver makes parsing several times slower, and hardly any body needs it
  if (!/[\d.]{16}|\d[eE][+-]?\d{3}/.test(text)) return JSON.parse(text)
  if (!givesSource) return parseMarked(text)
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(source) : value,
  )
}

/** Whether a reviver gets numbers as they are written: that of Node 20 does not. */
const givesSource = JSON.parse('1', (_key, _value, context?: { readonly source?: string }) => context?.source) === '1'

/** The same where a reviver gets no sources: long numbers go as texts with a mark that no one could know before. */
export function parseMarked(text: string): unknown {
  JSON.parse(text) // what is no JSON is refused as it stands
  const mark = globalThis.crypto.randomUUID()
  const marked = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') || keepsDigits(token) ? token : `"${mark}${token}"`,
  )
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? JSON.rawJSON(value.slice(mark.length)) : value,
  )
}
