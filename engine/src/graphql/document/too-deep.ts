import { type ApiError, invalid, Path } from '../../errors.ts'

/** The answer to documents that nest further than the settings allow. */
export function tooDeep(path: Path, maxDepth: number): ApiError {
  return invalid(shortened(path), `the query is nested too deeply: at most ${maxDepth} levels are allowed`)
}

const shown = 80

/** A path of hundreds of keys helps no one. */
export const shortened = (path: Path): Path => (path.keys.length > shown ? new Path(path.keys.slice(0, shown)) : path)
