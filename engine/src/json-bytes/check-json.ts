import { isUtf8 } from 'node:buffer'
import { skipSpace, skipValue, wrongJson } from './skip-value.ts'

/** Where the value of a body begins: bytes that may be passed on. Throws a SyntaxError for what is not JSON. */
export function checkJson(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new SyntaxError('the text is not UTF-8')
  // some servers begin with a byte order mark
  const start = skipSpace(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  const end = skipSpace(bytes, skipValue(bytes, start))
  if (end < bytes.length) wrongJson(bytes, end)
  return start
}
