import { address, type NativeQuery, type NativeQueryRelationship, ownKey } from '@svc/schema'
import type { TableId } from '../../object-ids.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { requireEquality } from '../../resolve/require-equality.ts'
import { databaseError, definitionError, metadataError } from '../../resolve/resolution-error.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import { untrackedTable } from '../../resolve/untracked-table.ts'
import type { ResolvedRelationship } from '../../resolved-rows.ts'
import { qualifiedNameOf, siblingTableId } from '../../table-id.ts'
import type { LogicalNode } from '../logical-model/logical-shape.ts'
import type { NativeNode } from './resolve-native-query.ts'

export interface RelationshipContext {
  readonly sourceOwn: string
  table(id: TableId): TableShape | null
  /** A native query of the source that is consistent as far as is known. */
  query(name: string): NativeNode | undefined
}

/**
 * Resolves the relationships that a native query declares for its rows
 * (reference/metadata-operations#native-queries-and-logical-models). Throws a ResolutionError.
 */
export function nativeRelationships(
  { object_relationships: objects = [], array_relationships: arrays = [] }: NativeQuery,
  rows: LogicalNode,
  around: RelationshipContext,
): ReadonlyMap<string, ResolvedRelationship> {
  const found = new Map<string, ResolvedRelationship>()
  const add = (kind: 'object' | 'array', declared: readonly NativeQueryRelationship[]) =>
    declared.forEach((one, i) => {
      const at = [`${kind}_relationships`, i]
      const taken = found.has(one.name) || rows.shape.columns.has(one.name)
      if (taken || !isGraphqlName(one.name))
        throw definitionError(
          taken
            ? `the name of the relationship "${one.name}" is taken`
            : `the name of the relationship "${one.name}" is not a valid GraphQL identifier`,
          [...at, 'name'],
        )
      found.set(one.name, relationshipOf(one, kind, rows, around, [...at, 'using', 'manual_configuration']))
    })
  add('object', objects)
  add('array', arrays)
  return found
}

function relationshipOf(
  { name, using: { manual_configuration: manual }, comment }: NativeQueryRelationship,
  kind: 'object' | 'array',
  rows: LogicalNode,
  around: RelationshipContext,
  at: readonly (string | number)[],
): ResolvedRelationship {
  const { remote_native_query: called, remote_table: table = {} } = manual
  const reached = called === undefined ? null : queryOf(called, around, at)
  const target = reached ? reached.rows : tableOf(table, rows, around, at)
  const columns = Object.entries(manual.column_mapping).map(([from, to]) => {
    const missing = !rows.shape.columns.has(from) ? from : target.shape.columns.has(to) ? null : to
    if (missing !== null)
      throw databaseError(`in relationship "${name}": column "${missing}" does not exist`, [
        ...at,
        'column_mapping',
        from,
      ])
    requireEquality(rows.shape, from, [...at, 'column_mapping', from])
    requireEquality(target.shape, to, [...at, 'column_mapping', from])
    return { from, to }
  })
  return {
    name,
    inGraphql: true,
    kind,
    target: target.shape.id,
    join: { table: target.shape.table, columns },
    nullable: true,
    insertedFirst: 'own',
    description: comment ?? (kind === 'object' ? 'An object relationship' : 'An array relationship'),
    ...(reached && { query: reached.query }),
  }
}

function tableOf(
  name: Parameters<typeof qualifiedNameOf>[0],
  rows: LogicalNode,
  around: RelationshipContext,
  at: readonly (string | number)[],
): { readonly shape: TableShape } {
  const table = qualifiedNameOf(name)
  const id = siblingTableId(rows.id, table)
  const shape = around.table(id)
  if (shape) return { shape }
  throw untrackedTable(table, id, [...at, 'remote_table'], true)
}

function queryOf(name: string, around: RelationshipContext, at: readonly (string | number)[]): NativeNode {
  const found = around.query(name)
  if (found) return found
  throw metadataError(
    `native query "${name}" is not tracked`,
    [address('native_query', ownKey('native_query', { root_field_name: name }), address('source', around.sourceOwn))],
    [...at, 'remote_native_query'],
  )
}
