/** What kinds of source there are (reference/metadata-operations#sources). */
import { type JsonObject, noArgs, sourceKindArgs } from '@svc/schema'
import type { SourceKind } from '../../backends/index.ts'
import { defineRead, type ReadOperation } from '../read-operation.ts'

/** list_source_kinds: those of the engine's backends. */
export const listSourceKinds = (kinds: readonly SourceKind[]): ReadOperation => {
  const served = kinds.map(
    ({ prefixes: [prefix = ''] }): JsonObject => ({ kind: prefix, builtin: true, available: true }),
  )
  return defineRead({
    type: 'list_source_kinds',
    scope: 'read',
    effects: 'none',
    args: noArgs,
    answer: () => ({ sources: served }),
  })
}

/** get_source_kind_capabilities: agents have some to request; data-connector-error for every other kind. */
export const getSourceKindCapabilities = defineRead({
  type: 'get_source_kind_capabilities',
  scope: 'read',
  effects: 'none',
  args: sourceKindArgs,
  answer({ name }, { path }) {
    throw path.error('data-connector-error', `"${name}" is no data connector agent`, 'name')
  },
})
