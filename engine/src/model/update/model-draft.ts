import {
  address,
  findObject,
  type GraphqlSchemaIntrospection,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  ownKey,
} from '@svc/schema'
import { Map as ImmutableMap, type OrderedSet as ImmutableOrderedSet } from 'immutable'
import type { Fault, InconsistentObject } from '../fault.ts'
import { emptyGraph, type GraphInWork } from '../graph.ts'
import type { InheritedRole } from '../inherit/inherited-role.ts'
import type { Model } from '../model.ts'
import type { ModelInput } from '../model-settings.ts'
import { noRoots } from '../names/names.ts'
import type { TableId } from '../object-ids.ts'
import type { ChangedValue } from '../parts/change-value.ts'
import { noneChecked } from '../parts/query-collection/check-stored-queries.ts'
import type { ResolvedRemoteRelationship } from '../parts/remote-relationship/resolved-remote-relationship.ts'
import { noRestEndpoints, type RestEndpoints } from '../parts/rest-endpoint/resolve-rest-endpoints.ts'
import type { PartValues } from '../parts/values.ts'
import type { Lookup } from '../resolve/resolve-context.ts'
import type { ResolvedFunction } from '../resolved-function.ts'
import type { ResolvedNativeQuery } from '../resolved-native-query.ts'
import type {
  ResolvedDeletePermission,
  ResolvedInsertPermission,
  ResolvedSelectPermission,
  ResolvedUpdatePermission,
} from '../resolved-permission.ts'
import type { LogicalRows, ResolvedComputedField, ResolvedRelationship, ResolvedTable } from '../resolved-rows.ts'
import type { RootsInWork } from '../root-owner.ts'
import { SharedMap, type SharedMapInWork } from '../shared-map.ts'

/** A model in the making: the maps are copies of the previous one's that this update writes to in place. */
export interface ModelDraft
  extends Pick<Model, 'input' | 'logicalRows' | 'namespaces' | 'functions' | 'nativeQueries' | 'inconsistencies'>,
    Pick<Model, 'faults' | 'values'> {
  readonly tables: SharedMapInWork<ResolvedTable>
  readonly roots: RootsInWork
  readonly graph: GraphInWork
  /** `values`, for change-value.ts to write to. */
  readonly valuesInWork: { readonly started: Set<string>; readonly values: Map<string, ImmutableMap<string, unknown>> }
  /** By part and id. */
  readonly changedValues: Map<string, Map<string, ChangedValue<unknown>>>
  /** The kinds that claim names, first come first. */
  readonly precedence: ReadonlyMap<ObjectType, number>
  /** By kind: objects that read something that is not as it was, some more than once. */
  readonly waiting: Map<ObjectType, ObjectAddress[]>
  /** Roles that objects name now and none did before, or the reverse. */
  readonly turnedRoles: Set<string>
  /** What below tables has to be read again. */
  readonly touched: Map<TableId, TableChange>
  /** Tables to put together again, with the parts that are new. */
  readonly tableParts: Map<TableId, TableParts>
  inheritedRoles: ReadonlyMap<string, InheritedRole>
  restEndpoints: RestEndpoints
  /** Objects resolved in this update. */
  rebuilt: number
}

export interface TableParts {
  readonly relationships: Map<string, ResolvedRelationship>
  readonly computedFields: Map<string, ResolvedComputedField>
  readonly remoteRelationships: Map<string, ResolvedRemoteRelationship>
  readonly selectPermissions: Map<string, ResolvedSelectPermission>
  readonly insertPermissions: Map<string, ResolvedInsertPermission>
  readonly updatePermissions: Map<string, ResolvedUpdatePermission>
  readonly deletePermissions: Map<string, ResolvedDeletePermission>
}

/** What below a table has to be read again; `silent`: the table is gone, and what hangs below it with it. */
export type TableChange = 'relationships' | 'all' | 'silent'

export function startDraft(
  previous: Model | null,
  input: ModelInput,
  precedence: ReadonlyMap<ObjectType, number>,
): ModelDraft {
  const graph = previous?.graph ?? emptyGraph
  const roots = previous?.roots ?? noRoots
  const values = new Map(previous?.values)
  return {
    input,
    tables: (previous?.tables ?? new SharedMap<ResolvedTable>()).edit(),
    logicalRows: (previous?.logicalRows ?? ImmutableMap<TableId, LogicalRows>()).asMutable(),
    roots: {
      query: roots.query.edit(),
      mutation: roots.mutation.edit(),
      subscription: roots.subscription.edit(),
    },
    namespaces: (previous?.namespaces ?? ImmutableMap<string, ImmutableOrderedSet<TableId>>()).asMutable(),
    functions: (previous?.functions ?? ImmutableMap<string, ResolvedFunction>()).asMutable(),
    nativeQueries: (previous?.nativeQueries ?? ImmutableMap<string, ResolvedNativeQuery>()).asMutable(),
    inconsistencies: (previous?.inconsistencies ?? ImmutableMap<string, InconsistentObject>()).asMutable(),
    faults: (previous?.faults ?? ImmutableMap<string, Fault>()).asMutable(),
    graph: {
      nodes: graph.nodes.edit(),
      reads: graph.reads.edit(),
      readers: graph.readers.edit(),
      types: graph.types.edit(),
      likeDerived: graph.likeDerived.asMutable(),
      oddScalars: graph.oddScalars.asMutable(),
      claims: graph.claims.asMutable(),
      aliases: graph.aliases.asMutable(),
      blocked: graph.blocked.asMutable(),
      roleUses: graph.roleUses.asMutable(),
    },
    values,
    valuesInWork: { started: new Set(), values },
    changedValues: new Map(),
    precedence,
    waiting: new Map(),
    turnedRoles: new Set(),
    touched: new Map(),
    tableParts: new Map(),
    inheritedRoles: previous?.inheritedRoles ?? new Map(),
    restEndpoints: previous?.restEndpoints ?? noRestEndpoints,
    rebuilt: 0,
  }
}

/** Ends the writing. Maps that nothing was written to keep the reference they had. */
export function finishDraft(draft: ModelDraft, previous: Model | null): Model {
  const { graph } = draft
  const old = previous?.graph ?? emptyGraph
  const roleUses = finishMap(graph.roleUses, old.roleUses)
  return {
    input: draft.input,
    tables: draft.tables.finish(),
    logicalRows: finishMap(draft.logicalRows, previous?.logicalRows),
    roots: {
      query: draft.roots.query.finish(),
      mutation: draft.roots.mutation.finish(),
      subscription: draft.roots.subscription.finish(),
    },
    namespaces: finishMap(draft.namespaces, previous?.namespaces),
    functions: finishMap(draft.functions, previous?.functions),
    nativeQueries: finishMap(draft.nativeQueries, previous?.nativeQueries),
    values: finishValues(draft, previous),
    roles: previous && roleUses === old.roleUses ? previous.roles : new Set([...roleUses.keys()].sort()),
    introspectionDisabledFor: disabledRoles(draft.input.document),
    inheritedRoles: draft.inheritedRoles,
    restEndpoints: draft.restEndpoints,
    storedQueries: previous?.storedQueries ?? noneChecked,
    inconsistencies: finishMap(draft.inconsistencies, previous?.inconsistencies),
    faults: finishMap(draft.faults, previous?.faults),
    graph: {
      nodes: graph.nodes.finish(),
      reads: graph.reads.finish(),
      readers: graph.readers.finish(),
      types: graph.types.finish(),
      likeDerived: finishMap(graph.likeDerived, old.likeDerived),
      oddScalars: finishMap(graph.oddScalars, old.oddScalars),
      claims: finishMap(graph.claims, old.claims),
      aliases: finishMap(graph.aliases, old.aliases),
      blocked: finishMap(graph.blocked, old.blocked),
      roleUses,
    },
    rebuilt: draft.rebuilt,
  }
}

const introspectionAddress = address('graphql_schema_introspection', ownKey('graphql_schema_introspection', {}))

function disabledRoles(document: MetadataDocument): ReadonlySet<string> {
  const options = findObject(document, introspectionAddress)?.value as GraphqlSchemaIntrospection | undefined
  return new Set(options?.disabled_for_roles)
}

function finishValues({ valuesInWork: { started, values } }: ModelDraft, previous: Model | null): PartValues {
  if (started.size === 0 && previous) return previous.values
  for (const key of started) values.set(key, finishMap(values.get(key) ?? ImmutableMap(), previous?.values.get(key)))
  return values
}

function finishMap<K, V>(map: ImmutableMap<K, V>, old: ImmutableMap<K, V> | undefined): ImmutableMap<K, V> {
  return map.wasAltered() || !old ? map.asImmutable() : old
}

/** What the draft serves so far: tables as claimed, relationships as far as they are resolved. */
export const draftLookup = (draft: ModelDraft): Lookup => ({
  ...(draft.input.settings.headerPrefix !== undefined && { headerPrefix: draft.input.settings.headerPrefix }),
  shape(id) {
    const node = draft.graph.nodes.get(id)
    return node?.served ? node.shape : null
  },
  relationship(id, name) {
    if (!draft.graph.nodes.get(id)?.served) return null
    const parts = draft.tableParts.get(id) ?? draft.tables.get(id)
    return parts?.relationships.get(name) ?? null
  },
  computedField(id, name) {
    if (!draft.graph.nodes.get(id)?.served) return null
    const parts = draft.tableParts.get(id) ?? draft.tables.get(id)
    return parts?.computedFields.get(name) ?? null
  },
  functions: (source, own) => draft.input.sources.get(source)?.functions.get(own)?.overloads ?? [],
})

/** The parts of a table to write to; what they began with is what the previous model served. */
export function partsOf(draft: ModelDraft, id: TableId): TableParts {
  const known = draft.tableParts.get(id)
  if (known) return known
  const old = draft.tables.get(id)
  const parts = {
    relationships: new Map(old?.relationships),
    computedFields: new Map(old?.computedFields),
    remoteRelationships: new Map(old?.remoteRelationships),
    selectPermissions: new Map(old?.selectPermissions),
    insertPermissions: new Map(old?.insertPermissions),
    updatePermissions: new Map(old?.updatePermissions),
    deletePermissions: new Map(old?.deletePermissions),
  }
  draft.tableParts.set(id, parts)
  return parts
}
