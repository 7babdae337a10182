import type { Backend, OpenablePool, SourceConnection } from '../../backends/index.ts'
import type { Observation } from '../../observe/index.ts'
import { observeConnection } from '../observe-connection.ts'

/** Opens a pool whose statements are reported. Throws SourceUnavailable where its settings cannot be read. */
export const openPool = (
  pool: OpenablePool,
  backend: Backend,
  report: (observation: Observation) => void,
): SourceConnection => observeConnection(pool.open(report), { source: pool.name, backend, report })
