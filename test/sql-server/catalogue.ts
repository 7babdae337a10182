/** The views sys.… and INFORMATION_SCHEMA.…, made from what the database holds. */
import { type Database, type DatabaseObject, type Row, type Table, tablesOf, type View } from './database.ts'
import type { Path } from './syntax.ts'
import { bit, type Cell, DATABASE_COLLATION, digitsOf, familyOf, int, nvarchar, type SqlType } from './types.ts'

type Catalogue = {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[]
  rows(database: Database, describe: DescribeView): readonly Row[]
}

/** The columns of a view, by its query. */
type DescribeView = (view: View) => readonly { readonly name: string; readonly type: SqlType }[]

const TYPE_IDS: Readonly<Record<string, number>> = {
  image: 34,
  text: 35,
  uniqueidentifier: 36,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  tinyint: 48,
  smallint: 52,
  int: 56,
  smalldatetime: 58,
  real: 59,
  money: 60,
  datetime: 61,
  float: 62,
  sql_variant: 98,
  ntext: 99,
  bit: 104,
  decimal: 106,
  numeric: 108,
  smallmoney: 122,
  bigint: 127,
  hierarchyid: 128,
  geometry: 129,
  geography: 130,
  varbinary: 165,
  varchar: 167,
  binary: 173,
  char: 175,
  timestamp: 189,
  nvarchar: 231,
  nchar: 239,
  xml: 241,
  sysname: 256,
}
const systemTypeOf = (id: number): number => (id === 256 ? 231 : id === 128 || id === 129 || id === 130 ? 240 : id)

const name = nvarchar(128)
const n = (value: number): bigint => BigInt(value)
const flag = (value: boolean): bigint => (value ? 1n : 0n)

/** A view from its columns, `name:type` each, and its rows. */
function view(columns: string, rows: (database: Database, describe: DescribeView) => readonly Row[]): Catalogue {
  const types: Readonly<Record<string, SqlType>> = {
    name,
    int,
    bit,
    text: nvarchar(4000),
    char2: { name: 'char', length: 2 },
    smallint: { name: 'smallint' },
    tinyint: { name: 'tinyint' },
    datetime: { name: 'datetime', scale: 3 },
    guid: { name: 'uniqueidentifier' },
  }
  return {
    columns: columns.split(' ').map((column) => {
      const [title = '', type = 'int'] = column.split(':')
      return { name: title, type: types[type] ?? int }
    }),
    rows,
  }
}

const KINDS = {
  table: ['U ', 'USER_TABLE'],
  view: ['V ', 'VIEW'],
  procedure: ['P ', 'SQL_STORED_PROCEDURE'],
  function: ['FN', 'SQL_SCALAR_FUNCTION'],
  trigger: ['TR', 'SQL_TRIGGER'],
} as const

const schemaId = (database: Database, schema: string): bigint => n(database.schemas.get(schema.toLowerCase())?.id ?? 0)
const objectsOf = (database: Database): readonly DatabaseObject[] => [...database.objects.values()]

type Listed = {
  readonly id: number
  readonly name: string
  readonly schema: string
  readonly parent: number
  readonly type: string
  readonly description: string
}

function allObjects(database: Database): readonly Listed[] {
  return objectsOf(database).flatMap((object): readonly Listed[] => {
    const [type, description] = KINDS[object.kind]
    const own = {
      id: object.id,
      name: object.name,
      schema: object.schema,
      parent: object.kind === 'trigger' ? (object.table ?? 0) : 0,
      type,
      description,
    }
    if (object.kind !== 'table') return [own]
    const inside = { schema: object.schema, parent: object.id }
    return [
      own,
      ...object.keys.flatMap((key) =>
        key.kind === 'index'
          ? []
          : [
              {
                ...inside,
                id: key.id,
                name: key.name,
                type: key.kind === 'primary' ? 'PK' : 'UQ',
                description: key.kind === 'primary' ? 'PRIMARY_KEY_CONSTRAINT' : 'UNIQUE_CONSTRAINT',
              },
            ],
      ),
      ...object.foreignKeys.map((key) => ({
        ...inside,
        id: key.id,
        name: key.name,
        type: 'F ',
        description: 'FOREIGN_KEY_CONSTRAINT',
      })),
      ...object.checks.map((check) => ({
        ...inside,
        id: check.id,
        name: check.name,
        type: 'C ',
        description: 'CHECK_CONSTRAINT',
      })),
      ...object.columns.flatMap((column) =>
        column.default
          ? [
              {
                ...inside,
                id: object.id * 1000 + column.id,
                name: column.defaultName ?? '',
                type: 'D ',
                description: 'DEFAULT_CONSTRAINT',
              },
            ]
          : [],
      ),
    ]
  })
}

const objectRows = (filter: (type: string) => boolean) => (database: Database) =>
  allObjects(database)
    .filter(({ type }) => filter(type.trim()))
    .map(
      (one): Row => [
        one.name,
        n(one.id),
        schemaId(database, one.schema),
        n(one.parent),
        one.type,
        one.description,
        0n,
        null,
        null,
      ],
    )

const OBJECT_COLUMNS =
  'name:name object_id:int schema_id:int parent_object_id:int type:char2 type_desc:name is_ms_shipped:bit create_date:datetime modify_date:datetime'

function columnRows(database: Database, describe: DescribeView): readonly Row[] {
  return objectsOf(database).flatMap((object): readonly Row[] => {
    if (object.kind === 'table')
      return object.columns.map((column) =>
        columnRow(
          object.id,
          column.id,
          column.name,
          column.type,
          column.isNullable,
          column.isIdentity,
          column.computed !== null,
          column.isGenerated,
        ),
      )
    if (object.kind !== 'view') return []
    return describe(object).map(({ name: title, type }, index) =>
      columnRow(object.id, index + 1, title, type, true, false, false),
    )
  })
}

function columnRow(
  object: number,
  id: number,
  title: string,
  type: SqlType,
  isNullable: boolean,
  isIdentity: boolean,
  isComputed: boolean,
  isGenerated = false,
): Row {
  const user = TYPE_IDS[type.name] ?? 0
  const width = type.name.startsWith('n') ? 2 : 1
  const bytes =
    type.length === Infinity
      ? -1
      : familyOf(type) === 'text' || familyOf(type) === 'binary'
        ? (type.length ?? 1) * width
        : 8
  const { precision, scale } = familyOf(type) === 'temporal' ? { precision: 0, scale: type.scale ?? 0 } : digitsOf(type)
  return [
    n(object),
    title,
    n(id),
    n(systemTypeOf(user)),
    n(user),
    n(bytes),
    n(precision),
    n(scale),
    flag(isNullable),
    flag(isIdentity),
    flag(isComputed),
    familyOf(type) === 'text' ? (type.collation ?? DATABASE_COLLATION) : null,
    n(isGenerated ? 1 : 0),
  ]
}

const keysOf = (database: Database) =>
  tablesOf(database).flatMap((table) => table.keys.map((key, index) => ({ table, key, index: index + 1 })))
const foreignKeysOf = (database: Database) =>
  tablesOf(database).flatMap((table) => table.foreignKeys.map((key) => ({ table, key })))

const CATALOGUE: Readonly<Record<string, Catalogue>> = {
  'sys.schemas': view('name:name schema_id:int principal_id:int', ({ schemas }) =>
    [...schemas.values()].map((schema) => [schema.name, n(schema.id), 1n]),
  ),
  'sys.objects': view(
    OBJECT_COLUMNS,
    objectRows(() => true),
  ),
  'sys.all_objects': view(
    OBJECT_COLUMNS,
    objectRows(() => true),
  ),
  'sys.tables': view(
    OBJECT_COLUMNS,
    objectRows((type) => type === 'U'),
  ),
  'sys.views': view(
    OBJECT_COLUMNS,
    objectRows((type) => type === 'V'),
  ),
  'sys.procedures': view(
    OBJECT_COLUMNS,
    objectRows((type) => type === 'P'),
  ),
  'sys.types': view('name:name system_type_id:tinyint user_type_id:int schema_id:int is_user_defined:bit', () =>
    Object.entries(TYPE_IDS).map(([title, id]) => [title, n(systemTypeOf(id)), n(id), 4n, 0n]),
  ),
  'sys.columns': view(
    'object_id:int name:name column_id:int system_type_id:tinyint user_type_id:int max_length:smallint precision:tinyint scale:tinyint is_nullable:bit is_identity:bit is_computed:bit collation_name:name generated_always_type:tinyint',
    columnRows,
  ),
  'sys.indexes': view(
    'object_id:int name:name index_id:int type:tinyint type_desc:name is_unique:bit is_primary_key:bit is_unique_constraint:bit has_filter:bit is_disabled:bit',
    (database) =>
      keysOf(database).map(({ table, key, index }) => [
        n(table.id),
        key.name,
        n(index),
        key.kind === 'primary' ? 1n : 2n,
        key.kind === 'primary' ? 'CLUSTERED' : 'NONCLUSTERED',
        flag(key.isUnique),
        flag(key.kind === 'primary'),
        flag(key.kind === 'unique'),
        flag(key.where !== null),
        0n,
      ]),
  ),
  'sys.index_columns': view(
    'object_id:int index_id:int index_column_id:int column_id:int key_ordinal:tinyint is_descending_key:bit is_included_column:bit',
    (database) =>
      keysOf(database).flatMap(({ table, key, index }) =>
        key.columns.map((column, at): Row => [n(table.id), n(index), n(at + 1), n(column), n(at + 1), 0n, 0n]),
      ),
  ),
  'sys.key_constraints': view(
    'name:name object_id:int parent_object_id:int type:char2 unique_index_id:int',
    (database) =>
      keysOf(database).flatMap(({ table, key, index }): readonly Row[] =>
        key.kind === 'index'
          ? []
          : [[key.name, n(key.id), n(table.id), key.kind === 'primary' ? 'PK' : 'UQ', n(index)]],
      ),
  ),
  'sys.foreign_keys': view(
    'name:name object_id:int schema_id:int parent_object_id:int referenced_object_id:int delete_referential_action:tinyint is_disabled:bit',
    (database) =>
      foreignKeysOf(database).map(({ table, key }) => [
        key.name,
        n(key.id),
        schemaId(database, table.schema),
        n(table.id),
        n(key.table),
        0n,
        0n,
      ]),
  ),
  'sys.foreign_key_columns': view(
    'constraint_object_id:int constraint_column_id:int parent_object_id:int parent_column_id:int referenced_object_id:int referenced_column_id:int',
    (database) =>
      foreignKeysOf(database).flatMap(({ table, key }) =>
        key.columns.map(
          (column, at): Row => [n(key.id), n(at + 1), n(table.id), n(column), n(key.table), n(key.references[at] ?? 0)],
        ),
      ),
  ),
  'sys.triggers': view(
    'name:name object_id:int parent_id:int type:char2 is_disabled:bit is_ms_shipped:bit is_instead_of_trigger:bit',
    (database) =>
      objectsOf(database).flatMap((object): readonly Row[] =>
        object.kind === 'trigger' ? [[object.name, n(object.id), n(object.table ?? 0), 'TR', 0n, 0n, 0n]] : [],
      ),
  ),
  'sys.sql_modules': view('object_id:int definition:text', (database) =>
    objectsOf(database).flatMap((object): readonly Row[] =>
      object.kind === 'table' ? [] : [[n(object.id), object.text]],
    ),
  ),
  'sys.parameters': view(
    'object_id:int name:name parameter_id:int system_type_id:tinyint user_type_id:int',
    (database) =>
      objectsOf(database).flatMap((object) =>
        object.kind === 'procedure'
          ? object.parameters.map(
              (parameter, at): Row => [
                n(object.id),
                parameter.name,
                n(at + 1),
                n(TYPE_IDS[parameter.type.name] ?? 0),
                n(TYPE_IDS[parameter.type.name] ?? 0),
              ],
            )
          : [],
      ),
  ),
  'sys.extended_properties': view('class:tinyint major_id:int minor_id:int name:name value:text', () => []),
  'sys.databases': view(
    'name:name database_id:int snapshot_isolation_state:tinyint is_read_committed_snapshot_on:bit compatibility_level:tinyint service_broker_guid:guid create_date:datetime',
    ({ name: title, guid }) => [[title, 5n, 1n, 1n, 150n, guid, null]],
  ),
  'information_schema.tables': view(
    'TABLE_CATALOG:name TABLE_SCHEMA:name TABLE_NAME:name TABLE_TYPE:name',
    (database) =>
      objectsOf(database).flatMap((object): readonly Row[] =>
        object.kind === 'table' || object.kind === 'view'
          ? [[database.name, object.schema, object.name, object.kind === 'table' ? 'BASE TABLE' : 'VIEW']]
          : [],
      ),
  ),
  'information_schema.columns': view(
    'TABLE_CATALOG:name TABLE_SCHEMA:name TABLE_NAME:name COLUMN_NAME:name ORDINAL_POSITION:int IS_NULLABLE:name DATA_TYPE:name',
    (database) =>
      tablesOf(database).flatMap((table: Table) =>
        table.columns.map((column, at): readonly Cell[] => [
          database.name,
          table.schema,
          table.name,
          column.name,
          n(at + 1),
          column.isNullable ? 'YES' : 'NO',
          column.type.name,
        ]),
      ),
  ),
  'information_schema.routines': view('ROUTINE_SCHEMA:name ROUTINE_NAME:name ROUTINE_TYPE:name', (database) =>
    objectsOf(database).flatMap((object): readonly Row[] =>
      object.kind === 'procedure' || object.kind === 'function'
        ? [[object.schema, object.name, object.kind.toUpperCase()]]
        : [],
    ),
  ),
}

export const catalogueTable = (path: Path): Catalogue | null =>
  CATALOGUE[path.slice(-2).join('.').toLowerCase()] ?? null
