/** Mistakes in the permissions of the music store, each a metadata document with one of them. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../schema/src/index.ts'

export interface Mistake {
  readonly title: string
  readonly metadata: JsonObject
}

interface Permission {
  readonly role: string
  readonly permission: Readonly<Record<string, unknown>>
}

interface Table {
  readonly table: { readonly name: string }
  readonly select_permissions?: readonly Permission[]
  readonly insert_permissions?: readonly Permission[]
  readonly update_permissions?: readonly Permission[]
}

const kinds = ['select_permissions', 'insert_permissions', 'update_permissions'] as const
const roles = ['customer', 'employee', 'listener']

/** All mistakes of the kinds that a hand makes, in the order of the tables. */
export function permissionMistakes(metadata: JsonObject): readonly Mistake[] {
  const [source] = metadata.sources as unknown as readonly { readonly tables: readonly Table[] }[]
  const tables = source?.tables ?? []
  return tables.flatMap((table, at) => {
    const within = (changed: Table): JsonObject =>
      ({ ...metadata, sources: [{ ...source, tables: tables.with(at, changed) }] }) as unknown as JsonObject
    return [...changedPermissions(table), ...grantedRoles(table)].map(([title, changed]) => ({
      title: `${table.table.name}: ${title}`,
      metadata: within(changed),
    }))
  })
}

type Changed = readonly [title: string, table: Table]

function* changedPermissions(table: Table): Generator<Changed> {
  const columns = columnsOf(table.table.name)
  for (const kind of kinds)
    for (const [at, { role, permission }] of (table[kind] ?? []).entries()) {
      const change = (title: string, part: object): Changed => {
        const list = table[kind] ?? []
        const changed = list.with(at, { role, permission: { ...permission, ...part } })
        return [`${kind} of ${role}: ${title}`, { ...table, [kind]: changed }]
      }
      const { columns: has, filter, check, limit, allow_aggregations: counts } = permission
      const set = permission.set as Readonly<Record<string, string>> | undefined
      if (filter && Object.keys(filter).length > 0) yield change('the filter is gone', { filter: {} })
      // a check of what the role cannot write changes nothing
      const canFail = Object.keys(check ?? {}).some(
        (key) => !columns.includes(key) || (Array.isArray(has) && has.includes(key)),
      )
      if (canFail) yield change('the check is gone', { check: {} })
      const [missing] = Array.isArray(has)
        ? columns.filter((column) => !has.includes(column) && !(set && column in set))
        : []
      if (Array.isArray(has) && missing !== undefined)
        yield change(`${missing} is among its columns`, { columns: [...has, missing] })
      if (set && 'customer_id' in set)
        yield change('a preset is another', { set: { ...set, customer_id: '2' }, check: {} })
      if (limit !== undefined) yield change('the limit is gone', { limit: undefined })
      if (kind === 'select_permissions' && counts === undefined)
        yield change('it may count', { allow_aggregations: true })
    }
}

function* grantedRoles(table: Table): Generator<Changed> {
  const granted = { columns: columnsOf(table.table.name), filter: {} }
  for (const role of roles) {
    const has = (kind: (typeof kinds)[number]) => table[kind]?.some((one) => one.role === role)
    if (!has('select_permissions'))
      yield [
        `${role} is granted select`,
        { ...table, select_permissions: [...(table.select_permissions ?? []), { role, permission: granted }] },
      ]
    else if (!has('update_permissions') && !isView(table.table.name))
      yield [
        `${role} is granted update`,
        { ...table, update_permissions: [...(table.update_permissions ?? []), { role, permission: granted }] },
      ]
  }
}

const schema = readFileSync(
  new URL('../../examples/music-store/migrations/default/1700000000000_store/up.sql', import.meta.url),
  'utf8',
)

const isView = (table: string) => new RegExp(`CREATE VIEW ${table} `).test(schema)

const viewColumns: Readonly<Record<string, readonly string[]>> = {
  customer_sales: ['customer_id', 'invoices', 'total', 'last_invoiced_at'],
  genre_sales: ['genre_id', 'tracks_sold', 'total'],
}

function columnsOf(table: string): readonly string[] {
  const body = new RegExp(`CREATE TABLE ${table} \\(\\n([^;]*)\\n\\);`).exec(schema)?.[1] ?? ''
  const columns = body.split('\n').map((line) => /^ {2}([a-z_]+) /.exec(line)?.[1] ?? '')
  return viewColumns[table] ?? columns.filter((column) => column !== '')
}
