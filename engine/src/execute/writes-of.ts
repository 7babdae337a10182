import type { Backend, WriteCompiler } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'

/** What makes programs of a backend's writes. Throws not-supported for one whose sources are only read. */
export function writesOf({ kind, writes }: Backend): WriteCompiler {
  if (!writes) throw new ApiError('not-supported', Path.root, `${kind} sources are not written to`)
  return writes
}
