import { ApiError, type Path } from '../errors.ts'
import { isInRange, isRawNumber, longContainer } from '../exact-json/index.ts'

/**
 * Refuses what the catalogue could not store as it is, anywhere in a value: text with a NUL or half of a surrogate pair,
 * which would turn two names into one, and numbers that no database stores. Throws parse-failed at the
 * place. The depth of the value is known to be harmless.
 */
export function checkStorable(json: unknown, path: Path): void {
  if (typeof json === 'string') checkOne(json, path)
  if (typeof json !== 'object' || json === null) return
  // known since it was parsed: to read each of a million values takes 100 ms
  if (longContainer(json)?.isPlain) return
  if (isRawNumber(json)) {
    if (isInRange(json)) return
    throw new ApiError('parse-failed', path, `the number ${shown(json.rawJSON)} is beyond what a database holds`)
  }
  if (Array.isArray(json)) {
    json.forEach((item, i) => {
      if (typeof item === 'string' || typeof item === 'object') checkStorable(item, path.at(i))
    })
    return
  }
  for (const [key, value] of Object.entries(json)) {
    checkOne(key, path)
    checkStorable(value, path.at(key))
  }
}

function checkOne(text: string, path: Path): void {
  if (text.includes('\0')) throw new ApiError('parse-failed', path, 'text with a NUL character cannot be stored')
  if (!text.isWellFormed()) throw new ApiError('parse-failed', path, 'text with half a surrogate pair cannot be stored')
}

const shown = (number: string): string => (number.length > 80 ? `${number.slice(0, 80)}…` : number)
