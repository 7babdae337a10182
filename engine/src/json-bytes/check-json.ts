import { isUtf8 } from 'node:buffer'
import { skipSpace, skipValue, wrongJson } from './skip-value.ts'

/**
 * Returns where the value of a body begins: bytes that may be passed on. `read` is passed that place and returns where
 * the value ends. Throws a SyntaxError for what is not JSON.
 */
export function checkJson(bytes: Buffer, read = (start: number): number => skipValue(bytes, start)): number {
  if (!isUtf8(bytes)) throw new SyntaxError('the text is not UTF-8')
  // some servers begin with a byte order mark
  const start = skipSpace(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  const end = skipSpace(bytes, read(start))
  if (end < bytes.length) wrongJson(bytes, end)
  return start
}
