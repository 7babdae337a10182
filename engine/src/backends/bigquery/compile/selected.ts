import { ident, join, sql } from '../../sql.ts'
import type { MemberShape, ValueShape } from '../statement-shape.ts'
import type { Sql } from './scope.ts'

/** Columns of a query or members of a STRUCT, and what becomes of them in the answer. */
export interface Selected {
  readonly columns: readonly { readonly as: string; readonly value: Sql }[]
  readonly members: readonly MemberShape[]
}

/** A value in SQL, and what becomes of it in the answer. */
export interface SelectedValue {
  readonly value: Sql
  readonly shape: ValueShape
}

interface Typename {
  readonly kind: 'typename'
  readonly as: string
  readonly name: string
}

/** Selects fields in their order; type names need no column. */
export function selectFields<Field extends { readonly kind: string; readonly as: string }>(
  fields: readonly (Field | Typename)[],
  compile: (field: Field) => SelectedValue,
): Selected {
  const columns: { as: string; value: Sql }[] = []
  const members = fields.map((field): MemberShape => {
    if (isTypename(field)) return { key: field.as, of: { kind: 'typename', name: field.name } }
    const { value, shape } = compile(field)
    columns.push({ as: field.as, value })
    return { key: field.as, of: shape }
  })
  return { columns, members }
}

const isTypename = (field: { readonly kind: string }): field is Typename => field.kind === 'typename'

/**
 * Returns what is after SELECT, or in STRUCT( ). `empty`: what is there if there is nothing, since both need something.
 */
export function compileColumns({ columns }: Selected, empty: Sql = sql`TRUE`): Sql {
  if (columns.length === 0) return sql`${empty} AS \`_\``
  const names = new Set<string>()
  return join(
    columns.map(({ as, value }, i) => {
      // names differ by case in GraphQL, may begin with a prefix that the service has for itself, and are not all of its letters
      const isFree = !names.has(as.toLowerCase()) && plain.test(as) && !reserved.test(as)
      const name = isFree ? as : `${as.replace(/\W|^_+/g, '')}_${i}`.replace(/^(?=[\d_])/, 'c')
      names.add(name.toLowerCase())
      return sql`${value} AS ${ident(name)}`
    }),
    sql`, `,
  )
}

const plain = /^[a-z_]\w*$/i
const reserved = /^_(table_|file_|partition|row_timestamp|_root__|colidentifier)|^__/i

export const compileStruct = (selected: Selected): Sql => sql`STRUCT(${compileColumns(selected)})`
