import type { DatabaseTable, MutationFeatures } from '../../backends/index.ts'
import type { NamePiece } from '../naming/spell.ts'
import type { ResolvedMutationField, ResolvedUniqueKey } from '../resolved-rows.ts'
import type { MutationFieldKind } from '../root-owner.ts'
import { quotedTable } from '../table-id.ts'
import { isGraphqlName } from './graphql-name.ts'

type Pieces = (baseName: NamePiece) => readonly NamePiece[]

/** Names are made of these around the table's own (reference/graphql-schema#root-fields). */
const pieces: Readonly<Record<MutationFieldKind, Pieces>> = {
  insert: (base) => ['insert', base],
  insert_one: (base) => ['insert', base, 'one'],
  update: (base) => ['update', base],
  update_by_pk: (base) => ['update', base, 'by_pk'],
  update_many: (base) => ['update', base, 'many'],
  delete: (base) => ['delete', base],
  delete_by_pk: (base) => ['delete', base, 'by_pk'],
}

/** The fields of the mutation root that a table or view allows. `named`: what the configuration makes of one. */
export function mutationFieldsOf(
  table: DatabaseTable,
  features: MutationFeatures | null,
  named: (kind: MutationFieldKind, pieces: Pieces, automatic: string) => Omit<ResolvedMutationField, 'kind'>,
): readonly ResolvedMutationField[] {
  return mutationKindsOf(table, features).map((kind) => ({
    kind,
    ...named(kind, pieces[kind], automaticText(kind, table)),
  }))
}

/**
 * Views by what the database can write through them; tables of every other kind take all
 * (reference/graphql-schema#root-fields).
 */
export function mutationKindsOf(table: DatabaseTable, features: MutationFeatures | null): readonly MutationFieldKind[] {
  if (features === null || table.kind === 'materialized-view') return []
  const { kind, insertable, updatable, deletable } = table
  const key = `${kind === 'view' ? [insertable, updatable, deletable].join(' ') : ''} ${table.primaryKey !== null} ${features.updateMany}`
  const known = kinds.get(key) ?? readKinds(table, features)
  kinds.set(key, known)
  return known
}

/** Tables have one of two lists in a kind of database, views one of sixteen. */
const kinds = new Map<string, readonly MutationFieldKind[]>()

function readKinds(table: DatabaseTable, { updateMany }: MutationFeatures): readonly MutationFieldKind[] {
  const isView = table.kind === 'view'
  const hasKey = table.primaryKey !== null
  const byKey = (kind: MutationFieldKind): readonly MutationFieldKind[] => (hasKey ? [kind] : [])
  return [
    ...(!isView || table.insertable ? (['insert', 'insert_one'] as const) : []),
    ...(!isView || table.updatable
      ? (['update', ...byKey('update_by_pk'), ...(updateMany ? (['update_many'] as const) : [])] as const)
      : []),
    ...(!isView || table.deletable ? (['delete', ...byKey('delete_by_pk')] as const) : []),
  ]
}

/** reference/graphql-schema#descriptions */
function automaticText(kind: MutationFieldKind, { table }: DatabaseTable): string {
  const name = quotedTable(table)
  switch (kind) {
    case 'insert':
      return `insert data into the table: ${name}`
    case 'insert_one':
      return `insert a single row into the table: ${name}`
    case 'update':
      return `update data of the table: ${name}`
    case 'update_by_pk':
      return `update single row of the table: ${name}`
    case 'update_many':
      return `update multiples rows of table: ${name}`
    case 'delete':
      return `delete data from the table: ${name}`
    case 'delete_by_pk':
      return `delete single row from the table: ${name}`
  }
}

/**
 * Values of `T_constraint` (reference/graphql-schema#generated-types): the primary key and every unique index with a
 * GraphQL name.
 */
export function uniqueKeysOf({ primaryKey, uniqueKeys }: DatabaseTable): readonly ResolvedUniqueKey[] {
  const own = primaryKey ? [{ name: primaryKey.constraint, columns: primaryKey.columns, isPrimary: true }] : []
  const others = uniqueKeys.map(({ constraint, columns }) => ({ name: constraint, columns, isPrimary: false }))
  return [...own, ...others].filter(({ name }) => isGraphqlName(name))
}
