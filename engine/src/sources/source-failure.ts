import type { Backend } from '../backends/index.ts'
import { SourceUnavailable, UnresolvedConfiguration } from '../backends/index.ts'
import { ApiError } from '../errors.ts'
import { errorReport } from '../observe/index.ts'
import { declaredIn, unchecked } from './check-queries.ts'
import { unread } from './read-enums.ts'
import { unreadFunctions } from './read-functions.ts'
import type { UnavailableSource } from './source-state.ts'

/** What is known of a source whether it can be reached or not. */
export type SourceFacts = Pick<
  UnavailableSource,
  'name' | 'backend' | 'configuration' | 'enums' | 'functions' | 'queries'
>
export type ServableFacts = SourceFacts & { readonly backend: Backend }

/** The state of a source that could not be connected, configured or introspected. */
export function stateOfFailure(facts: SourceFacts, error: unknown): UnavailableSource {
  if (error instanceof UnresolvedConfiguration) return unavailable(facts, error.message)
  if (error instanceof SourceUnavailable && isMissingPackage(error.cause)) {
    const kind = facts.backend?.kinds[0]?.kind
    return { ...unavailable({ ...facts, backend: null }, notServed(String(kind))), message: error.message }
  }
  if (error instanceof SourceUnavailable) return { ...unavailable(facts, 'connection error'), message: error.message }
  // introspection failed: the connection was lost, or the database refused something
  const message = error instanceof ApiError ? (error.internal ?? error.message) : errorReport(error).message
  return { ...unavailable(facts, 'connection error'), message }
}

/** Of a source whose kind this installation cannot serve. */
export const notServed = (kind: string): string => `sources of kind "${kind}" cannot be served`

const isMissingPackage = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'

/** The state of a source that is not served, with the reason as it is shown. */
export function unavailable(
  { name, backend, configuration, enums, functions, queries }: SourceFacts,
  reason: string,
): UnavailableSource {
  const said = `Inconsistent object: ${reason}`
  const marked = unread(enums.keys())
  return {
    status: 'unavailable',
    name,
    backend,
    configuration,
    enums: marked,
    functions: unreadFunctions(functions),
    queries: unchecked(declaredIn(queries)),
    reason: said,
    message: undefined,
  }
}
