import { ApiError, Path } from '../../../errors.ts'
import type { RootQuery } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'

/** One statement of GoogleSQL for a root field. */
export function compileQuery(query: RootQuery, _: CompileOptions): CompiledQuery {
  throw new ApiError('not-supported', Path.root, `BigQuery sources cannot be asked for ${query.kind} yet`)
}
