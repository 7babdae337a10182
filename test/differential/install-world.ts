/** A world as SQL and as metadata. */
import {
  type Column,
  type Condition,
  columnOf,
  type Operand,
  type Relationship,
  type Role,
  type Table,
  tableOf,
  type Value,
  type World,
} from './world.ts'

export function sqlOf(world: World): string {
  const statements = [`DROP SCHEMA public CASCADE; CREATE SCHEMA public;`]
  for (const table of world.tables.values()) {
    const columns = table.columns.map(({ name, type, nullable }) => `"${name}" ${type}${nullable ? '' : ' NOT NULL'}`)
    statements.push(`CREATE TABLE "${table.name}" (${columns.join(', ')}, PRIMARY KEY (${table.key.join(', ')}));`)
    if (table.rows.length > 0) {
      const rows = table.rows.map(
        (row) => `(${table.columns.map((column) => literal(row[column.name] ?? null, column)).join(', ')})`,
      )
      statements.push(`INSERT INTO "${table.name}" VALUES ${rows.join(', ')};`)
    }
  }
  for (const { table, target, columns, foreignKey } of world.relationships)
    if (foreignKey === 'own')
      statements.push(`ALTER TABLE "${table}" ADD FOREIGN KEY ("${columns[0]?.[0]}") REFERENCES "${target}";`)
  return statements.join('\n')
}

const literal = (value: Value, { type }: Column): string =>
  value === null ? 'NULL' : `'${typeof value === 'object' ? JSON.stringify(value) : value}'::${type}`

export function metadataOf(world: World, databaseUrl: string): object {
  const inherited = [...world.roles.values()].filter(({ parents }) => parents.length > 0)
  return {
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        configuration: { connection_info: { database_url: databaseUrl } },
        tables: [...world.tables.values()].map((table) => ({
          table: table.name,
          object_relationships: relationshipsOf(world, table, 'object'),
          array_relationships: relationshipsOf(world, table, 'array'),
          select_permissions: [...world.roles.values()].flatMap((role) => permissionOf(world, table, role)),
        })),
      },
    ],
    inherited_roles: inherited.map(({ name, parents }) => ({ role_name: name, role_set: parents })),
  }
}

const relationshipsOf = (world: World, table: Table, kind: Relationship['kind']): readonly object[] =>
  world.relationships
    .filter((one) => one.table === table.name && one.kind === kind)
    .map((one) => ({ name: one.name, using: usingOf(one) }))

function usingOf({ target, columns, foreignKey }: Relationship): object {
  const [[from = '', to = ''] = []] = columns
  switch (foreignKey) {
    case 'own':
      return { foreign_key_constraint_on: from }
    case 'other':
      return { foreign_key_constraint_on: { table: target, column: to } }
    case null:
      return { manual_configuration: { remote_table: target, column_mapping: Object.fromEntries(columns) } }
  }
}

function permissionOf(world: World, table: Table, { name, permissions }: Role): readonly object[] {
  const permission = permissions.get(table.name)
  if (!permission) return []
  const { columns, filter, limit, aggregations } = permission
  return [
    {
      role: name,
      permission: {
        columns: columns.length === table.columns.length ? '*' : columns,
        filter: filterJson(world, table, filter),
        allow_aggregations: aggregations,
        ...(limit !== null && { limit }),
      },
    },
  ]
}

function filterJson(world: World, table: Table, filter: Condition): object {
  const inner = (one: Condition) => filterJson(world, table, one)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { [`_${filter.kind}`]: filter.of.map(inner) }
    case 'not':
      return { _not: inner(filter.of) }
    case 'compare':
      return { [filter.column]: { [`_${filter.operator}`]: operandJson(filter.operand) } }
    case 'is-null':
      return { [filter.column]: { _is_null: filter.is } }
    case 'related': {
      const way = world.relationships.find((one) => one.table === table.name && one.name === filter.relationship)
      return { [filter.relationship]: filterJson(world, tableOf(world, way?.target ?? ''), filter.of) }
    }
    case 'count': {
      const { relationship, columns, distinct, operator, value } = filter
      const way = world.relationships.find((one) => one.table === table.name && one.name === relationship)
      const count = {
        ...(columns.length > 0 && { arguments: columns }),
        ...(distinct && { distinct }),
        ...(filter.filter && { filter: filterJson(world, tableOf(world, way?.target ?? ''), filter.filter) }),
        predicate: { [`_${operator}`]: value },
      }
      return { [`${relationship}_aggregate`]: { count } }
    }
    case 'exists':
      return { _exists: { _table: filter.table, _where: filterJson(world, tableOf(world, filter.table), filter.of) } }
    case 'columns': {
      columnOf(table, filter.column)
      const operator = { eq: '_ceq', neq: '_cne', gt: '_cgt', lte: '_clte' }[filter.operator]
      return { [filter.column]: { [operator]: filter.root ? ['$', filter.other] : filter.other } }
    }
  }
}

const operandJson = (operand: Operand) => (operand.kind === 'session' ? operand.variable : operand.value)
