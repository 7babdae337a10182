import type { Customization, Source, Table } from '../engine/metadata.ts'

/** What a query of rows needs of a type of the schema. */
export interface Columns {
  readonly field: string
  readonly columns: readonly string[]
}

interface Introspected {
  readonly data?: {
    readonly __schema?: {
      readonly queryType: { readonly name: string } | null
      readonly types: readonly {
        readonly name: string
        readonly kind: string
        readonly fields: readonly Field[] | null
      }[]
    }
  }
  readonly errors?: readonly { readonly message: string }[]
}

interface Field {
  readonly name: string
  readonly args: readonly { readonly name: string }[]
  readonly type: TypeRef
}

interface TypeRef {
  readonly kind: string
  readonly name: string | null
  readonly ofType?: TypeRef | null
}

const typeRef = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'

/** What a role's schema says of its fields: types and arguments, no descriptions. */
export const rowIntrospection = `{ __schema { queryType { name } types { name kind fields { name args { name } type { ${typeRef} } } } } }`

/** The select root field of a table in a role's schema, and its columns; null: that role has none. */
export function columnsOf(answer: unknown, source: Source, table: Table): Columns | null {
  const schema = (answer as Introspected).data?.__schema
  const types = new Map(schema?.types.map((type) => [type.name, type]))
  const namespace = source.customization?.root_fields?.namespace
  const query = types.get(schema?.queryType?.name ?? '')
  const roots = namespace ? types.get(named(query?.fields?.find(({ name }) => name === namespace))) : query
  const wanted = rootNames(source.customization, table)
  const root = roots?.fields?.find(({ name }) => wanted.includes(name))
  const row = types.get(named(root))
  if (!root || !row) return null
  const columns =
    row.fields?.filter(({ type, args }) => isLeaf(type) && args.every(({ name }) => name === 'path')) ?? []
  return { field: root.name, columns: columns.map(({ name }) => name) }
}

/** Names that the select root field may have, by the rules of naming. */
function rootNames(customization: Customization | undefined, { table, configuration }: Table): readonly string[] {
  const custom = configuration?.custom_root_fields?.select
  const named = typeof custom === 'object' ? custom.name : custom
  if (named) return [named]
  const { name, schema } = typeof table === 'string' ? { name: table, schema: 'public' } : table
  const isUsual = schema === undefined || schema === 'public' || schema === 'dbo'
  const base = configuration?.custom_name ?? (isUsual ? name : `${schema}_${name}`) ?? ''
  const { prefix = '', suffix = '' } = customization?.root_fields ?? {}
  const camel = base.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return [base, camel].map((one) => `${prefix}${one}${suffix}`)
}

export interface RowsAsked extends Columns {
  readonly namespace: string | undefined
  readonly limit: number
  readonly offset: number
  /** A column, with `-` before it where the greatest come first. */
  readonly order: string
}

/** The query of a page of rows. All names come from the role's schema. */
export function rowQuery({ field, columns, namespace, limit, offset, order }: RowsAsked): string {
  const column = order.replace(/^-/, '')
  const by = columns.includes(column) ? `, order_by: {${column}: ${order.startsWith('-') ? 'desc' : 'asc'}}` : ''
  const root = `rows: ${field}(limit: ${limit}, offset: ${offset}${by}) { ${columns.join(' ')} }`
  return namespace ? `{ in: ${namespace} { ${root} } }` : `{ ${root} }`
}

const named = (field: Field | undefined): string => {
  let type: TypeRef | null | undefined = field?.type
  while (type?.ofType) type = type.ofType
  return type?.name ?? ''
}

/** A scalar or a value of an enum, or a list of them: no selection of fields belongs to it. */
function isLeaf(type: TypeRef): boolean {
  return type.ofType ? isLeaf(type.ofType) : type.kind === 'SCALAR' || type.kind === 'ENUM'
}
