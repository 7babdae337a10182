/** A world as SQL and as metadata. */
import { filterJson } from './install-filter.ts'
import { computedFieldsOf, functionSql, functionsOf, nativeQueriesOf } from './install-routine.ts'
import { opaque } from './random-values.ts'
import type { Column, Relationship, Role, Table, Value, World } from './world.ts'
import { arrayText, isArray, quoted } from './world-lookup.ts'

export function sqlOf(world: World): string {
  const statements = [
    `DROP SCHEMA public CASCADE; CREATE SCHEMA public;
     CREATE TYPE mood AS ENUM (${(opaque.mood ?? []).map((mood) => `'${mood}'`)});
     CREATE DOMAIN whole AS int4; CREATE DOMAIN wholes AS int4[]; CREATE DOMAIN phrase AS text CHECK (length(VALUE) < 99);`,
  ]
  for (const table of world.tables.values()) {
    if (typeof table.kind === 'object')
      statements.push(
        `CREATE ${table.kind.materialised ? 'MATERIALIZED ' : ''}VIEW "${table.name}" AS SELECT * FROM "${table.kind.view}" WHERE id % 2 = 0;`,
      )
    else if (table.kind !== 'model') statements.push(...tableSql(table))
  }
  for (const { table, target, columns, foreignKey } of world.relationships)
    if (foreignKey === 'own')
      statements.push(`ALTER TABLE "${table}" ADD FOREIGN KEY ("${columns[0]?.[0]}") REFERENCES "${target}";`)
  for (const routine of world.routines) statements.push(functionSql(world, routine))
  return statements.join('\n')
}

function tableSql({ name, columns, key, rows, built }: Table): readonly string[] {
  const gap = built === 'with a gap' ? ['gone text'] : []
  const declared = columns.map(({ name: column, type, spelled, nullable }) => {
    const references = type === 'hue' ? ' REFERENCES hue' : ''
    return `${quoted(column)} ${spelled ?? sqlType(type)}${nullable ? '' : ' NOT NULL'}${references}`
  })
  const all = [...gap, ...declared, `PRIMARY KEY (${key.join(', ')})`].join(', ')
  const create =
    built === 'of partitions'
      ? [
          `CREATE TABLE "${name}" (${all}) PARTITION BY HASH (id);`,
          `CREATE TABLE "${name}_0" PARTITION OF "${name}" FOR VALUES WITH (MODULUS 2, REMAINDER 0);`,
          `CREATE TABLE "${name}_1" PARTITION OF "${name}" FOR VALUES WITH (MODULUS 2, REMAINDER 1);`,
        ]
      : [`CREATE TABLE "${name}" (${all});`, ...gap.map(() => `ALTER TABLE "${name}" DROP COLUMN gone;`)]
  if (rows.length === 0) return create
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column.name] ?? null, column)).join(', ')})`)
  return [...create, `INSERT INTO "${name}" VALUES ${values.join(', ')};`]
}

const sqlType = (type: Column['type']): string => (type === 'hue' ? 'text' : type)

function literal(value: Value, { type }: Column): string {
  if (value === null) return 'NULL'
  const text = isArray(value) ? arrayText(value) : typeof value === 'object' ? JSON.stringify(value) : `${value}`
  return `'${text.replaceAll("'", "''")}'::${sqlType(type)}`
}

export function metadataOf(world: World, databaseUrl: string): object {
  const inherited = [...world.roles.values()].filter(({ parents }) => parents.length > 0)
  const tables = [...world.tables.values()]
  return {
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        configuration: { connection_info: { database_url: databaseUrl } },
        tables: tables
          .filter(({ kind }) => kind !== 'model')
          .map((table) => ({
            table: table.name,
            ...(table.kind === 'enum' && { is_enum: true }),
            configuration: { column_config: Object.fromEntries(table.columns.flatMap(customName)) },
            object_relationships: relationshipsOf(world, table, 'object'),
            array_relationships: relationshipsOf(world, table, 'array'),
            computed_fields: computedFieldsOf(world, table.name),
            select_permissions: [...world.roles.values()].flatMap((role) => permissionOf(world, table, role)),
          })),
        functions: functionsOf(world),
        native_queries: nativeQueriesOf(world),
        logical_models: tables.filter(({ kind }) => kind === 'model').map((model) => logicalModelOf(world, model)),
      },
    ],
    inherited_roles: inherited.map(({ name, parents }) => ({ role_name: name, role_set: parents })),
  }
}

const customName = ({ name, field }: Column) => (field === undefined ? [] : [[name, { custom_name: field }] as const])

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
  const { columns, computed, filter, limit, aggregations, roots } = permission
  return [
    {
      role: name,
      permission: {
        columns: columns.length === table.columns.length ? '*' : columns,
        computed_fields: computed,
        filter: filterJson(world, table, filter),
        allow_aggregations: aggregations,
        ...(limit !== null && { limit }),
        ...(roots && { query_root_fields: roots }),
      },
    },
  ]
}

function logicalModelOf(world: World, model: Table): object {
  return {
    name: model.name,
    fields: model.columns.map(({ name, type, nullable }) => ({
      name,
      type: type.endsWith('[]') ? { array: { scalar: type.slice(0, -2) }, nullable } : { scalar: type, nullable },
    })),
    select_permissions: [...world.roles.values()].flatMap(({ name, permissions }) => {
      const permission = permissions.get(model.name)
      if (!permission) return []
      const { columns, filter } = permission
      return [{ role: name, permission: { columns, filter: filterJson(world, model, filter) } }]
    }),
  }
}
