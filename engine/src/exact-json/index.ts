/**
 * exact-json: JSON whose numbers keep all their digits. JavaScript's own numbers end at 2^53, a bigint's and a
 * numeric's do not. The code is schema's, which the provider reads its inputs with.
 */
export { exactNumber, isRawNumber, parseExactly, type RawNumber } from '@svc/schema'
