import { hash } from 'node:crypto'
import { ApiError, Path } from '../errors.ts'

/** What finds a draft by its key: the catalogue never has the key itself. */
export const idOfKey = (key: string): string => hash('sha256', key)

/** The same answer whatever was wrong with a key. */
export const unknownDraft = (path: Path = Path.root): ApiError =>
  new ApiError('not-exists', path, 'the draft is unknown or has expired')
