import { isRawNumber } from '@svc/schema'
import type { LongWork } from '../long-work.ts'
import { isLongJson, LONG } from './long-json.ts'

/** As JSON.stringify, in pieces: that takes 100 ms for a text of 60 MB, 40 for an object of 100,000 keys. */
export function* stringifyLong(json: unknown): LongWork<string> {
  if (typeof json === 'string' && json.length > LONG) return yield* longText(json)
  if (!isLongJson(json) || typeof json !== 'object' || json === null || isRawNumber(json)) {
    return JSON.stringify(json)
  }
  let text = ''
  let units = 0
  let separator = ''
  const isList = Array.isArray(json)
  for (const key of isList ? json.keys() : Object.keys(json)) {
    const value = (json as Readonly<Record<string | number, unknown>>)[key]
    if (!isList) {
      if (String(key).length > LONG) text += `${separator}${yield* longText(String(key))}:`
      else text += `${separator}${JSON.stringify(key)}:`
    } else text += separator
    separator = ','
    text += isLongJson(value) ? yield* stringifyLong(value) : JSON.stringify(value)
    if (++units < UNITS) continue
    yield units
    units = 0
  }
  return isList ? `[${text}]` : `{${text}}`
}

const UNITS = 256
const PIECE = 65_536

function* longText(text: string): LongWork<string> {
  let json = ''
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length)
    // both halves of a pair remain together: a single one is written as an escape
    if (to < text.length && isFirstOfPair(text.charCodeAt(to - 1))) to--
    json += JSON.stringify(text.slice(from, to)).slice(1, -1)
    yield PIECE / 1024
    from = to
  }
  return `"${json}"`
}

const isFirstOfPair = (code: number) => code >= 0xd800 && code <= 0xdbff
