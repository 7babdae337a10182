import { ApiError, type Path } from '../errors.ts'

/**
 * Refuses text that no database could hold, anywhere in a value: a NUL, or half of a surrogate pair, which would turn
 * two names into one. Throws parse-failed at the text. The depth of the value is known to be harmless.
 */
export function checkText(json: unknown, path: Path): void {
  if (typeof json === 'string') checkOne(json, path)
  if (typeof json !== 'object' || json === null) return
  if (Array.isArray(json)) {
    json.forEach((item, i) => {
      if (typeof item === 'string' || typeof item === 'object') checkText(item, path.at(i))
    })
    return
  }
  for (const [key, value] of Object.entries(json)) {
    checkOne(key, path)
    checkText(value, path.at(key))
  }
}

function checkOne(text: string, path: Path): void {
  if (text.includes('\0')) throw new ApiError('parse-failed', path, 'text with a NUL character cannot be stored')
  if (!text.isWellFormed()) throw new ApiError('parse-failed', path, 'text with half a surrogate pair cannot be stored')
}
