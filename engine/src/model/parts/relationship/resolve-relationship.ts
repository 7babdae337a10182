import {
  type ArrayRelationship,
  childrenOf,
  isRecord,
  type JsonObject,
  type ManualConfiguration,
  type MetadataObject,
  type ObjectRelationship,
  ownKey,
  type RemoteForeignKey,
} from '@svc/schema'
import type { ForeignKey } from '../../../backends/index.ts'
import type { Join, QualifiedName } from '../../../ir/index.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import type { GraphqlTable } from '../../resolve/graphql-table.ts'
import { conflictingField, refuseColumnName } from '../../resolve/refuse-column-name.ts'
import { requireEquality } from '../../resolve/require-equality.ts'
import { databaseError, definitionError, foundIn, ResolutionError } from '../../resolve/resolution-error.ts'
import type { ResolveContext } from '../../resolve/resolve-context.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import { untrackedTable } from '../../resolve/untracked-table.ts'
import type { ResolvedRelationship } from '../../resolved-rows.ts'
import { qualifiedNameOf, quotedTable, siblingTableId } from '../../table-id.ts'

type Relationship = ObjectRelationship | ArrayRelationship

/** Names of all relationships a table declares, consistent or not. */
export interface DeclaredNames {
  readonly object: (name: string) => boolean
  readonly array: (name: string) => boolean
}

export function declaredNames(table: MetadataObject | undefined): DeclaredNames {
  const has = (type: 'object_relation' | 'array_relation') => (name: string) =>
    table !== undefined && childrenOf(table, type).has(ownKey(type, { name }))
  return { object: has('object_relation'), array: has('array_relation') }
}

/**
 * All `using` forms (reference/metadata-operations#relationships), nullability (reference/graphql-schema#object-types).
 * Throws a ResolutionError (reference/metadata-document#inconsistent-objects).
 */
export function resolveRelationship(
  value: Relationship,
  kind: 'object' | 'array',
  own: TableShape,
  graphql: GraphqlTable,
  declared: DeclaredNames,
  around: ResolveContext,
): ResolvedRelationship {
  checkName(value.name, kind, graphql, declared)
  const { join, nullable, insertedFirst } = joinOf(value, kind, own, around)
  return {
    name: value.name,
    inGraphql: isGraphqlName(value.name),
    kind,
    target: siblingTableId(own.id, join.table),
    join,
    nullable,
    insertedFirst: kind === 'array' ? 'own' : insertedFirst,
    description: kind === 'array' ? 'An array relationship' : 'An object relationship',
  }
}

function checkName(name: string, kind: 'object' | 'array', graphql: GraphqlTable, declared: DeclaredNames): void {
  refuseColumnName(name, graphql)
  if (kind === 'object') return
  if (declared.object(name)) throw conflictingField(name)
  const aggregate = `${name}_aggregate`
  if (graphql.columnsByField.has(aggregate) || declared.object(aggregate) || declared.array(aggregate))
    throw conflictingField(aggregate)
}

interface Reach extends Pick<ResolvedRelationship, 'insertedFirst'> {
  readonly join: Join
  readonly nullable: boolean
}

function joinOf(value: Relationship, kind: 'object' | 'array', own: TableShape, around: ResolveContext): Reach {
  const { foreign_key_constraint_on: key, manual_configuration: manual } = value.using
  return attempt(value.name, own, () => {
    if (manual) return byHand(manual, own, around)
    if (isRemoteKey(key)) return byRemoteKey(key, own, around)
    if (kind === 'object' && key !== undefined) return byOwnKey(typeof key === 'string' ? [key] : key, own, around)
    throw definitionError('neither a foreign key nor a manual configuration is given', ['using'])
  })
}

const isRemoteKey = (key: string | readonly string[] | RemoteForeignKey | undefined): key is RemoteForeignKey =>
  isRecord(key)

const attempt = <T>(name: string, own: TableShape, resolve: () => T): T =>
  foundIn(`in table ${quotedTable(own.table)}: in relationship "${name}": `, resolve)

function byOwnKey(columns: readonly string[], own: TableShape, around: ResolveContext): Reach {
  const at = ['using', 'foreign_key_constraint_on']
  for (const column of columns) requireColumn(own, column, at, around)
  const key = onlyKey(
    own.foreignKeys.filter((candidate) =>
      sameNames(
        candidate.columns.map(({ from }) => from),
        columns,
      ),
    ),
    at,
  )
  requireTable(own, key.target, at, around)
  return {
    join: { table: key.target, columns: key.columns, unique: true },
    nullable: key.columns.some(({ from }) => own.columns.get(from)?.nullable !== false),
    insertedFirst: 'target',
  }
}

function byRemoteKey(given: RemoteForeignKey, own: TableShape, around: ResolveContext): Reach {
  const at = ['using', 'foreign_key_constraint_on']
  const table = qualifiedNameOf(given.table)
  const columns = 'column' in given ? [given.column] : given.columns
  const target = requireTable(own, table, [...at, 'table'], around)
  const atColumns = [...at, 'column' in given ? 'column' : 'columns']
  for (const column of columns) requireColumn(target, column, atColumns, around)
  const key = onlyKey(
    target.foreignKeys.filter(
      (candidate) =>
        candidate.target.schema === own.table.schema &&
        candidate.target.name === own.table.name &&
        sameNames(
          candidate.columns.map(({ from }) => from),
          columns,
        ),
    ),
    atColumns,
  )
  return {
    join: { table, columns: key.columns.map(({ from, to }) => ({ from: to, to: from })) },
    nullable: true,
    insertedFirst: 'own',
  }
}

function byHand(manual: ManualConfiguration, own: TableShape, around: ResolveContext): Reach {
  const at = ['using', 'manual_configuration']
  const table = qualifiedNameOf(manual.remote_table as JsonObject)
  const target = requireTable(own, table, [...at, 'remote_table'], around)
  const columns = Object.entries(manual.column_mapping).map(([from, to]) => {
    const place = [...at, 'column_mapping', from]
    requireColumn(own, from, place, around)
    requireColumn(target, to, place, around)
    requireEquality(own, from, place)
    requireEquality(target, to, place)
    return { from, to }
  })
  const insertedFirst = manual.insertion_order === 'after_parent' ? 'own' : 'target'
  return { join: { table, columns }, nullable: true, insertedFirst }
}

/** Two foreign keys over the same columns are one too many only when they could mean different rows. */
function onlyKey(keys: readonly ForeignKey[], at: readonly string[]): ForeignKey {
  const [key, ...others] = keys
  if (!key) throw databaseError('no foreign constraint exists on the given column(s)', at)
  if (others.length > 0) throw databaseError('more than one foreign key constraint exists on the given column(s)', at)
  return key
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))

function requireTable(
  near: TableShape,
  table: QualifiedName,
  at: readonly string[],
  around: ResolveContext,
): TableShape {
  const id = siblingTableId(near.id, table)
  const target = around.table(id)
  if (target) return target
  throw untrackedTable(table, id, at, true)
}

function requireColumn(table: TableShape, name: string, at: readonly string[], around: ResolveContext): void {
  if (around.column(table, name)) return
  throw new ResolutionError(`table ${quotedTable(table.table)} has no column named "${name}"`, {
    cause: 'database',
    at,
    bare: true,
  })
}
