import type { RawNumber } from './raw-number.ts'

/**
 * JSON.rawJSON, JSON.isRawJSON, and a JSON.stringify that writes their numbers: Node 20 has none of them, and plugins run on it.
 * Where they are there, nothing happens.
 */
export function installRawJson(json: JSON): void {
  if (Object.hasOwn(json, 'rawJSON')) return
  const made = new WeakSet<object>()
  let isUsed = false
  const isRawJSON = (value: unknown): value is RawNumber =>
    typeof value === 'object' && value !== null && made.has(value)
  const rawJSON = (text: string): RawNumber => {
    const raw: RawNumber = Object.freeze(Object.assign(Object.create(null), { rawJSON: text }))
    made.add(raw)
    isUsed = true
    return raw
  }
  const plain = json.stringify
  const stringify = (value: unknown, replacer: Replacer = null, space?: string | number): string =>
    isUsed ? stringifyMarked(plain, isRawJSON, value, replacer, space) : plain(value, replacer as null, space)
  Object.defineProperties(json, {
    rawJSON: { value: rawJSON, configurable: true, writable: true },
    isRawJSON: { value: isRawJSON, configurable: true, writable: true },
    stringify: { value: stringify, configurable: true, writable: true },
  })
}

type Replacer = null | readonly (string | number)[] | ((this: unknown, key: string, value: unknown) => unknown)

/** Each number goes as a text with a mark that no one could know before, and loses quotes and mark afterwards. */
function stringifyMarked(
  plain: JSON['stringify'],
  isRawJSON: (value: unknown) => value is RawNumber,
  value: unknown,
  replacer: Replacer,
  space: string | number | undefined,
): string {
  const mark = globalThis.crypto.randomUUID()
  const keys = isList(replacer) ? new Set(replacer.map(String)) : null
  let isTop = true
  const text = plain(
    value,
    function (this: unknown, key: string, part: unknown): unknown {
      const isKept = isTop || keys === null || Array.isArray(this) || keys.has(key)
      isTop = false
      if (!isKept) return undefined
      const now = replacer === null || isList(replacer) ? part : replacer.call(this, key, part)
      return isRawJSON(now) ? `${mark}${now.rawJSON}` : now
    },
    space,
  )
  return text?.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
}

const isList = (replacer: Replacer): replacer is readonly (string | number)[] => Array.isArray(replacer)
