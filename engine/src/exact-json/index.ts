/**
 * exact-json: JSON whose numbers keep all their digits. JavaScript's own numbers end at 2^53, a bigint's and a
 * numeric's do not. Begin at parse-exactly.ts.
 */
export { parseExactly } from './parse-exactly.ts'
export { exactNumber, isRawNumber, type RawNumber } from './raw-number.ts'
