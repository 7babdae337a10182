/**
 * exact-json: JSON whose numbers keep all their digits. JavaScript's own numbers end at 2^53, a bigint's and a
 * numeric's do not. The code is schema's, which the provider reads its inputs with; that of long texts, which yields to the event
 * loop, is here.
 */
export { exactNumber, isInRange, isRawNumber, parseExactly, type RawNumber, withoutTrailingZeros } from '@svc/schema'
export { hasMoreLevels, MOST_LEVELS } from './has-more-levels.ts'
export { LateLists, type LateMember, lateMembers } from './late-lists.ts'
export { isLongJson, LONG, longContainer, markLong } from './long-json.ts'
export { parseLong } from './parse-long.ts'
export { stringifyLong } from './stringify-long.ts'
export { isNumber, type JsonNumber, numberText, wholeNumber } from './whole-number.ts'
