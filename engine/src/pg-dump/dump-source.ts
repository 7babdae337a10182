import type { PostgresConfiguration } from '@svc/schema'
import { connectionSettings, type Environment, UnresolvedConfiguration } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { SourceState } from '../sources/index.ts'
import { type DumpLimits, dumpDatabase } from './dump-database.ts'

/**
 * Runs pg_dump on a source, `state` being what is known of it. Rejects with not-found, not-supported, not-exists where an
 * environment variable is not set, unexpected 500 where the program fails.
 */
export async function dumpSource(
  name: string,
  state: SourceState | undefined,
  environment: Environment,
  options: readonly string[],
  limits: DumpLimits,
): Promise<readonly Buffer[]> {
  if (!state) throw new ApiError('not-found', Path.root, `source "${name}" does not exist`)
  if (state.backend?.kind !== 'postgres')
    throw new ApiError('not-supported', Path.root, `source "${name}" is no PostgreSQL database`)
  return dumpDatabase(settingsOf(state, environment), options, limits)
}

function settingsOf({ name, configuration }: SourceState, environment: Environment) {
  try {
    return connectionSettings(name, configuration as PostgresConfiguration, environment, {
      usePreparedStatements: true,
    })
  } catch (error) {
    if (error instanceof UnresolvedConfiguration) throw new ApiError('not-exists', Path.root, error.message)
    throw error
  }
}
