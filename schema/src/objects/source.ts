import { canonicalKind, defaultKind, kindOfSource, nameStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import {
  choose,
  filled,
  isRecord,
  jsonObject,
  lenient,
  name,
  notNegative,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { bigqueryConfiguration } from './source-bigquery.ts'
import { mssqlConfiguration } from './source-mssql.ts'
import { postgresConfiguration } from './source-postgres.ts'

/** A part of GraphQL names; empty: none. */
const namePart = text.refine((given) => /^([_A-Za-z][_0-9A-Za-z]*)?$/.test(given), 'expected a valid GraphQL name')
const rootFields = record({ namespace: optional(namePart), prefix: optional(namePart), suffix: optional(namePart) })
const typeNames = record({ prefix: optional(namePart), suffix: optional(namePart) })

/** `hasura-default`: the reference's spelling. */
const namingConvention = oneOf('svc-default', 'graphql-default', 'hasura-default').transform((given) =>
  given === 'hasura-default' ? 'svc-default' : given,
)

const customization = record({
  root_fields: unless({}, rootFields),
  type_names: unless({}, typeNames),
  naming_convention: optional(namingConvention),
})
export type SourceCustomization = Value<typeof customization>

/** Names of root fields and types of a whole source; left out when nothing is customised. */
export const sourceCustomization: Schema<SourceCustomization | undefined> = unless({}, customization)

export const healthCheck = record({
  test: optional(record({ sql: filled(text, 'SELECT 1') })),
  interval: notNegative('interval'),
  retries: filled(notNegative('retries'), 3),
  retry_interval: filled(notNegative('retry_interval'), 10),
  timeout: filled(notNegative('timeout'), 10),
})
export type HealthCheck = Value<typeof healthCheck>

/** A source's configuration by its kind; that of an agent is its own. */
export function sourceConfiguration(kind: string): Schema<JsonObject> {
  switch (nameStyle(kind)) {
    case 'public':
      return postgresConfiguration
    case 'dbo':
      return mssqlConfiguration
    case 'dataset':
      return bigqueryConfiguration
    case 'agent':
      return jsonObject
  }
}

export type Source = {
  readonly name: string
  readonly kind: string
  readonly configuration: JsonObject
  readonly query_tags?: JsonObject
  readonly customization?: SourceCustomization
  readonly health_check?: HealthCheck
}

const sourceOfKind = (kind: string): Schema<Source> =>
  lenient({
    name,
    kind: filled(text, defaultKind).transform(canonicalKind),
    configuration: sourceConfiguration(kind),
    query_tags: optional(jsonObject),
    customization: sourceCustomization,
    health_check: optional(healthCheck),
  })

const kinds = new Map<string, Schema<Source>>()

/** A source's own value (reference/metadata-document#objects). Keys it does not know are ignored, as §3.1 says. */
export const source: Schema<Source> = choose(sourceSchema)

/** The schema for a source's JSON, which is that of its kind. */
export function sourceSchema(json: unknown): Schema<Source> {
  const kind = kindOfSource(isRecord(json) ? json : undefined)
  const known = kinds.get(kind) ?? sourceOfKind(kind)
  if (nameStyle(kind) !== 'agent') kinds.set(kind, known)
  return known
}
