import type { ValueFault } from '@svc/schema'
import type { ApiError, Path } from '../errors.ts'

/** validation-failed at a value that could be stored and never served (docs/metadata-api.md#values-that-cannot-be-served). */
export const unservable = ({ path: below, message }: ValueFault, path: Path): ApiError =>
  path.error('validation-failed', message, ...below)
