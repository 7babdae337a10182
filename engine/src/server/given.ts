import { ApiError } from '../errors.ts'

/** What was read; throws where it could not be. */
export function given<T>(read: T | ApiError): T {
  if (read instanceof ApiError) throw read
  return read
}
