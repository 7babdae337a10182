import { type JsonObject, nameRules, type Schema, sourceConfiguration } from '@svc/schema'
import type { SourceKind } from '../source-kind.ts'

const functions = /(^|_)function(_|$)/
const eventTriggers = /(^|_)event(s|_|$)/
const computedFields = /_computed_field$/
const enums = /^set_table_is_enum$/
/** Operations of other kinds. */
const foreign = /_stored_procedure$|^database_inspection$/

const kind = (name: string, prefixes: readonly string[], lacks: readonly RegExp[]): SourceKind => ({
  kind: name,
  prefixes,
  names: nameRules.public,
  configuration: sourceConfiguration(name) as Schema<JsonObject>,
  checksQueries: true,
  has: (operation) => ![foreign, ...lacks].some((pattern) => pattern.test(operation)),
})

/**
 * PostgreSQL, and what speaks its protocol and has its catalogue; which has which operations:
 * reference/metadata-requests#body.
 */
export const sourceKinds: readonly SourceKind[] = [
  kind('postgres', ['pg', 'postgres'], []),
  kind('citus', ['citus'], [eventTriggers, computedFields, enums]),
  kind('cockroach', ['cockroach'], [eventTriggers, computedFields, functions]),
]
