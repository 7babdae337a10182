import type { RootQuery } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'

export function compileQuery(_query: RootQuery, _options: CompileOptions): CompiledQuery {
  throw new Error('not yet')
}
