import { equalJson, type JsonObject, type TableConfiguration } from '@svc/schema'
import type { DatabaseColumn, DatabaseTable, Features, TypeSystem } from '../../backends/index.ts'
import { customRootField, generatedType, rootFieldName, type SourceNaming } from '../naming/source-naming.ts'
import { fieldName, type NamePiece } from '../naming/spell.ts'
import type { ResolvedColumn, ResolvedRootField, ResolvedTable } from '../resolved-rows.ts'
import type { RootFieldKind } from '../root-owner.ts'
import { quotedTable } from '../table-id.ts'
import { noEnums, type TableEnums } from './enum-table.ts'
import { baseNameOf, isGraphqlName } from './graphql-name.ts'
import { mutationFieldsOf, mutationKindsOf, uniqueKeysOf } from './mutation-fields.ts'
import { databaseError, definitionError, ResolutionError } from './resolution-error.ts'

/** What a table is in metadata, and what is declared below it. */
type Declared =
  | 'kind'
  | 'id'
  | 'source'
  | 'table'
  | 'address'
  | 'relationships'
  | 'computedFields'
  | 'remoteRelationships'
  | `${'select' | 'insert' | 'update' | 'delete'}Permissions`

/** What GraphQL sees of a table before names are claimed: type name, fields of columns, root fields. */
export interface GraphqlTable extends Omit<ResolvedTable, Declared> {
  /**
   * `<n>_one` of a table with a custom name: served unless another object has the name
   * (reference/graphql-schema#table-configuration).
   */
  readonly alias: ResolvedRootField | null
  /** `<T>_enum` of an enum table. */
  readonly enumName: string | null
}

/**
 * Names, descriptions and columns of a tracked table (reference/metadata-operations#tables;
 * reference/graphql-schema#names-of-tables-and-functions, reference/graphql-schema#table-configuration,
 * reference/graphql-schema#descriptions). Parts equal to those of `old` keep their reference. Throws a ResolutionError
 * when the table cannot be part of a schema.
 */
export function graphqlTableOf(
  configuration: TableConfiguration,
  table: DatabaseTable,
  types: TypeSystem,
  old: GraphqlTable | undefined,
  naming: SourceNaming,
  enums: TableEnums = noEnums,
  isFederated = false,
): GraphqlTable {
  const { features, names } = types
  checkConfiguredColumns(configuration, table)
  const columns = keep(
    old?.columns,
    table.columns.map((column) => resolveColumn(column, configuration, types, naming, enums)),
  )
  const byField = columns === old?.columns ? old.columnsByField : mapByField(columns, table)
  const byName =
    columns === old?.columns
      ? old.columnsByName
      : columns.every(({ name, field }) => name === field)
        ? byField
        : new Map(columns.map((column) => [column.name, column] as const))
  const key = table.primaryKey?.columns.flatMap((name) => byName.get(name) ?? []) ?? null
  checkCustomName(configuration, table)
  const baseName = baseNameOf(configuration.custom_name, table.table, names)
  const rootFields = baseName === null ? [] : rootFieldsOf(baseName, configuration, table, naming, features)
  const graphql: GraphqlTable = {
    naming: keep(old?.naming, naming),
    baseName: keep(old?.baseName, baseName),
    graphqlName: baseName === null ? null : generatedType(naming, baseName),
    description: described(
      configuration.comment,
      table.description ?? `columns and relationships of ${quotedTable(table.table)}`,
    ),
    columns,
    columnsByField: byField,
    columnsByName: byName,
    primaryKey: keep(old?.primaryKey, key),
    rootFields: keep(old?.rootFields, rootFields),
    mutationFields: keep(
      old?.mutationFields,
      baseName === null
        ? []
        : mutationFieldsOf(table, features.mutations, (kind, pieces, automatic) =>
            rootFieldOf(configuration, kind, rootFieldName(naming, ...pieces(baseName)), naming, (comment) =>
              described(comment, automatic),
            ),
          ),
    ),
    writes: keep(old?.writes, mutationKindsOf(table, features.mutations)),
    insertsAlone: table.insertsAlone === true,
    writesAlone: table.writesAlone === true,
    readsAlone: table.readsAlone === true,
    hasSystemColumns: table.kind === 'table',
    refersTo: keep(
      old?.refersTo,
      table.foreignKeys.map(({ target, columns: pairs }) => ({
        target,
        columns: pairs.map(({ from }) => ({ from, isFilled: isFilled(table, from) })),
      })),
    ),
    uniqueKeys: keep(old?.uniqueKeys, uniqueKeysOf(table)),
    streamField: keep(
      old?.streamField,
      baseName === null || !features.streams ? null : streamFieldOf(baseName, configuration, table, naming),
    ),
    alias: keep(old?.alias, aliasOf(baseName, rootFields, naming)),
    enumName: enums.own?.name ?? null,
    isEntity: isFederated && key !== null,
  }
  return old && sameParts(old, graphql) ? old : graphql
}

/** Whether the database fills a column in where a new row has no value. */
const isFilled = ({ columns }: DatabaseTable, name: string): boolean =>
  columns.some((column) => column.name === name && (column.hasDefault || column.generated !== 'never'))

const sameParts = (a: GraphqlTable, b: GraphqlTable): boolean =>
  Object.entries(a).every(([key, part]) => part === b[key as keyof GraphqlTable])

function checkConfiguredColumns(configuration: TableConfiguration, table: DatabaseTable): void {
  const known = new Set(table.columns.map((column) => column.name))
  for (const name of Object.keys(configuration.column_config))
    if (!known.has(name))
      throw databaseError(`configuration was given for the column "${name}", but no such column exists`, [
        'configuration',
        'column_config',
        name,
      ])
}

function resolveColumn(
  column: DatabaseColumn,
  configuration: TableConfiguration,
  types: TypeSystem,
  { convention }: SourceNaming,
  enums: TableEnums,
): ResolvedColumn {
  const own = Object.hasOwn(configuration.column_config, column.name)
    ? configuration.column_config[column.name]
    : undefined
  const field = own?.custom_name ?? fieldName(convention, column.name)
  if (!isGraphqlName(field))
    throw new ResolutionError(
      `cannot include "${column.name}" in the GraphQL schema because  it is not a valid GraphQL identifier`,
      own?.custom_name === undefined
        ? { cause: 'database' }
        : { cause: 'definition', at: ['configuration', 'column_config', column.name, 'custom_name'] },
    )
  const scalar = types.graphqlScalar(column.type)
  if (!isGraphqlName(scalar))
    throw databaseError(
      `cannot use SQL type "${column.type.name}" in the GraphQL schema because its name is not a valid GraphQL identifier`,
    )
  return {
    name: column.name,
    field,
    type: column.type,
    nullable: column.nullable,
    writable: column.generated !== 'stored' && column.generated !== 'identity-always',
    description: described(own?.comment, column.description),
    enumType: enums.ofColumns.get(column.name) ?? null,
  }
}

function mapByField(columns: readonly ResolvedColumn[], table: DatabaseTable): ReadonlyMap<string, ResolvedColumn> {
  const byField = new Map<string, ResolvedColumn>()
  for (const column of columns) {
    const other = byField.get(column.field)
    if (other) {
      const renamed = column.field === column.name ? other : column
      throw new ResolutionError(
        `the columns "${other.name}" and "${column.name}" of table ${quotedTable(table.table)} have the same field name "${column.field}"`,
        { cause: 'clash', at: ['configuration', 'column_config', renamed.name, 'custom_name'] },
      )
    }
    byField.set(column.field, column)
  }
  return byField
}

/**
 * Comment semantics (reference/graphql-schema#table-configuration): absent means the automatic text, empty means none.
 */
function described(comment: string | undefined, automatic: string | null): string | null {
  if (comment === undefined) return automatic
  return comment === '' ? null : comment
}

function checkCustomName({ custom_name }: TableConfiguration, { table }: DatabaseTable): void {
  if (custom_name === undefined || isGraphqlName(custom_name)) return
  throw definitionError(
    `cannot include ${quotedTable(table)} in the GraphQL schema because "${custom_name}" is not a valid GraphQL identifier`,
    ['configuration', 'custom_name'],
  )
}

const endings = { select: [], select_by_pk: ['by_pk'], select_aggregate: ['aggregate'] } as const

function rootFieldsOf(
  baseName: NamePiece,
  configuration: TableConfiguration,
  table: DatabaseTable,
  naming: SourceNaming,
  { aggregates }: Features,
): readonly ResolvedRootField[] {
  const kinds: readonly (keyof typeof endings)[] = [
    'select',
    ...(table.primaryKey ? (['select_by_pk'] as const) : []),
    ...(aggregates ? (['select_aggregate'] as const) : []),
  ]
  return kinds.map((kind) => ({
    kind,
    ...rootFieldOf(configuration, kind, rootFieldName(naming, baseName, ...endings[kind]), naming, (comment) =>
      described(comment, automaticText(kind, table)),
    ),
  }))
}

/** `T_stream` (reference/graphql-schema#root-fields). */
const streamFieldOf = (
  baseName: NamePiece,
  configuration: TableConfiguration,
  { table }: DatabaseTable,
  naming: SourceNaming,
): ResolvedTable['streamField'] =>
  rootFieldOf(configuration, 'select_stream', rootFieldName(naming, baseName, 'stream'), naming, (comment) =>
    described(comment, `fetch data from the table in a streaming manner: ${quotedTable(table)}`),
  )

/**
 * With the name and comment that `custom_root_fields` sets, if any. Throws a ResolutionError for what is no GraphQL
 * name.
 */
function rootFieldOf(
  configuration: TableConfiguration,
  kind: keyof TableConfiguration['custom_root_fields'],
  automatic: string,
  naming: SourceNaming,
  describe: (comment: string | undefined) => string | null,
): { readonly name: string; readonly description: string | null } {
  const own = configuration.custom_root_fields[kind]
  const { name = undefined, comment = undefined } = typeof own === 'object' ? own : { name: own }
  if (name !== undefined && !isGraphqlName(name))
    throw definitionError(`custom root field name "${name}" is not a valid GraphQL identifier`, [
      'configuration',
      'custom_root_fields',
      kind,
    ])
  return { name: name === undefined ? automatic : customRootField(naming, name), description: describe(comment) }
}

function automaticText(kind: RootFieldKind, { table }: DatabaseTable): string {
  switch (kind) {
    case 'select':
      return `fetch data from the table: ${quotedTable(table)}`
    case 'select_by_pk':
    case 'select_one':
      return `fetch data from the table: ${quotedTable(table)} using primary key columns`
    case 'select_aggregate':
      return `fetch aggregated fields from the table: ${quotedTable(table)}`
  }
}

function aliasOf(
  baseName: NamePiece | null,
  rootFields: readonly ResolvedRootField[],
  naming: SourceNaming,
): ResolvedRootField | null {
  if (baseName === null || typeof baseName === 'string') return null
  const byKey = rootFields.find((field) => field.kind === 'select_by_pk')
  if (!byKey) return null
  return { kind: 'select_one', name: rootFieldName(naming, baseName, 'one'), description: byKey.description }
}

const keep = <T>(old: T | undefined, made: T): T => (old !== undefined && equalJson(old, made) ? old : made)

/** The configuration of a table's document value, all parts filled. */
export function configurationOf(value: JsonObject): TableConfiguration {
  const given = (value.configuration ?? {}) as Partial<TableConfiguration>
  return { column_config: {}, custom_column_names: {}, custom_root_fields: {}, ...given }
}
