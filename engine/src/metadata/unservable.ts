import type { ValueFault } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'

/** validation-failed at a value that could be stored and never served (docs/metadata-api.md#values-that-cannot-be-served). */
export const unservable = ({ path: below, message }: ValueFault, path: Path): ApiError =>
  new ApiError('validation-failed', path, message, { at: path.at(...below) })
