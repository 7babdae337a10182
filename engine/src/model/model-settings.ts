import type { MetadataDocument } from '@svc/schema'
import type { Environment } from '../http-client/index.ts'
import type { RemoteStates } from '../remote-schemas/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { NamingConvention } from './naming/spell.ts'
import type { StoredQueryCheck } from './parts/query-collection/check-stored-queries.ts'

/** Server settings that shape the schema. */
export interface ModelSettings {
  readonly stringifyNumericTypes: boolean
  /** How often a root field may reach other tables. */
  readonly maxQueryJoins?: number
  readonly inferFunctionPermissions: boolean
  /**
   * Of sources that name none (reference/graphql-schema#the-naming-convention-graphql-default); absent or null:
   * conventions are switched off.
   */
  readonly namingConvention?: NamingConvention | null
  /** No `T_stream` (reference/graphql-schema#root-fields). */
  readonly hideStreamFields?: boolean
  /** Native queries are served whatever the database says of their SQL (reference/database-objects#native-queries). */
  readonly ignoreNativeQueryVerdicts?: boolean
  /** No `update_T_many` (reference/graphql-schema#root-fields). */
  readonly hideUpdateManyFields?: boolean
  /** No conditions on aggregates in GraphQL (reference/filters#aggregates-of-relationships). */
  readonly hideAggregationPredicates?: boolean
  /** Tables may be entities of Apollo federation (reference/http#limits-and-federation). */
  readonly apolloFederation?: boolean
  /** Where references of actions are resolved; absent: they are not checked. */
  readonly environment?: Environment
  /** Arrays are scalars in GraphQL (reference/graphql-schema#scalars). */
  readonly arraysAreScalars?: boolean
  /** Roles see of remote schemas what they are permitted, not all (reference/remote-schemas#permissions-of-roles). */
  readonly remoteSchemaPermissions?: boolean
  /** The prefix of session variables in permissions, in addition to X-Svc- (lower case, --header-prefix). */
  readonly headerPrefix?: string
  /** Absent: queries of collections are not checked. */
  readonly checkStoredQuery?: StoredQueryCheck
}

export interface ModelInput {
  readonly document: MetadataDocument
  readonly sources: ReadonlyMap<string, SourceState>
  /** Absent: there are none. */
  readonly remotes?: RemoteStates
  readonly settings: ModelSettings
}
