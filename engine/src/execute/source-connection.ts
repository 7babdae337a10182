import type { SourceConnection } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { Model } from '../model/index.ts'

/** The live connection of a source. Throws postgres-error, 500, while the source cannot be reached. */
export function sourceConnection(model: Model, name: string): SourceConnection {
  const source = model.input.sources.get(name)
  if (source?.status === 'ready') return source.connection
  throw new ApiError('postgres-error', Path.root, 'connection error', {
    status: 500,
    internal: source ? source.message : `source ${name} does not exist`,
  })
}
