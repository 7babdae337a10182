import type { CompileOptions, MultiplexedQuery, MultiplexedRoot } from '../../backend.ts'

export function compileMultiplexed(_roots: readonly MultiplexedRoot[], _options: CompileOptions): MultiplexedQuery {
  throw new Error('not yet')
}
