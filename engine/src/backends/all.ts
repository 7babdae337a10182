import type { Backend } from './backend.ts'
import { bigquery } from './bigquery/index.ts'
import { mssql } from './mssql/index.ts'
import { postgres } from './postgres/index.ts'

/** The backends of this version: the one list of them. */
export const allBackends: readonly Backend[] = [postgres, mssql, bigquery]

/** Returns a backend with the experimental features that are on. */
export function withExperiments(backend: Backend, features: ReadonlySet<string>): Backend {
  const [types] = Object.entries(backend.experimentalTypes ?? {}).flatMap(([name, of]) =>
    features.has(name) ? [of] : [],
  )
  return types ? { ...backend, types } : backend
}
