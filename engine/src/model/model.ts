/**
 * The resolved model: what metadata means on the databases as they are. Immutable; an update shares what it
 * does not touch, so the reference of a resolved object changes only when its meaning may have changed.
 */
import type { Map as ImmutableMap, OrderedSet as ImmutableOrderedSet } from 'immutable'
import type { Fault, InconsistentObject } from './fault.ts'
import type { ModelGraph } from './graph.ts'
import type { InheritedRole } from './inherit/inherited-role.ts'
import type { ModelInput } from './model-settings.ts'
import type { FunctionId, NativeQueryId, TableId } from './object-ids.ts'
import type { CheckedQueries } from './parts/query-collection/check-stored-queries.ts'
import type { RestEndpoints } from './parts/rest-endpoint/resolve-rest-endpoints.ts'
import type { PartValues } from './parts/values.ts'
import type { ResolvedFunction } from './resolved-function.ts'
import type { ResolvedNativeQuery } from './resolved-native-query.ts'
import type { LogicalRows, ResolvedRows, ResolvedTable } from './resolved-rows.ts'
import type { Roots } from './root-owner.ts'
import type { SharedMap } from './shared-map.ts'

export interface Model {
  readonly input: ModelInput
  /** Tracked and consistent tables. */
  readonly tables: SharedMap<ResolvedTable>
  /** The rows of native queries, by an id that no table has. */
  readonly logicalRows: ImmutableMap<TableId, LogicalRows>
  /**
   * Root fields of every kind of object; each name has one owner
   * (reference/graphql-schema#names-of-tables-and-functions, architecture decision 12).
   */
  readonly roots: Roots
  /**
   * Namespaces of root fields (reference/graphql-schema#customization-of-a-source), and the tables in each: those of
   * one source.
   */
  readonly namespaces: ImmutableMap<string, ImmutableOrderedSet<TableId>>
  /** Tracked and consistent functions by id. */
  readonly functions: ImmutableMap<FunctionId, ResolvedFunction>
  /** Tracked and consistent native queries by id. */
  readonly nativeQueries: ImmutableMap<NativeQueryId, ResolvedNativeQuery>
  /** What objects of the other kinds resolve to, a map per part: read with `partValue` and `partValues`. */
  readonly values: PartValues
  /** Roles that some permission or inherited role names, admin left out. */
  readonly roles: ReadonlySet<string>
  /** Roles that are shown nothing of their schema (reference/http#limits-and-federation). */
  readonly introspectionDisabledFor: ReadonlySet<string>
  /** Consistent inherited roles by name. */
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>
  /** Consistent REST endpoints, and what is wrong with the rest. */
  readonly restEndpoints: RestEndpoints
  /** Queries of collections as they were last checked. */
  readonly storedQueries: CheckedQueries
  /** By addressText of the object. */
  readonly inconsistencies: ImmutableMap<string, InconsistentObject>
  /** The cause of each inconsistency; same keys. */
  readonly faults: ImmutableMap<string, Fault>
  /** What updates start from; of no use to other modules. */
  readonly graph: ModelGraph
  /** How many objects the update that made this model resolved again. */
  readonly rebuilt: number
}

/** Rows that can be selected from, whatever they are of. */
export const rowsOf = (
  { tables, logicalRows }: Pick<Model, 'tables' | 'logicalRows'>,
  id: TableId,
): ResolvedRows | undefined => tables.get(id) ?? logicalRows.get(id)
