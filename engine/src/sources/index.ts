/**
 * sources: the live connections to the sources that metadata names: connect, introspect, retry with growing pauses.
 * Begin at sources.ts. Imports backends, errors, observe and the schema's configuration. Knows no model.
 */

export { checkQueries, declaredIn } from './check-queries.ts'
export { type HealthStatus, SourceHealth } from './health/source-health.ts'
export { readEnums } from './read-enums.ts'
export { readFunctions } from './read-functions.ts'

export { type OperationType, type Route, resolve as resolveRoute } from './routing/route.ts'
export type { ReadConnection, Routing } from './routing/routing.ts'
export type {
  CheckedQuery,
  DeclaredQueries,
  NamedFunctions,
  ReadySource,
  SourceEnums,
  SourceFunctions,
  SourceQueries,
  SourceState,
  UnavailableSource,
} from './source-state.ts'
export { Sources, type SourcesOptions } from './sources.ts'
