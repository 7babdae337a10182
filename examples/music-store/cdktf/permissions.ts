import {
  type ComputedField,
  InheritedRole,
  InsertPermission,
  SelectPermission,
  type SelectPermissionConfig,
  UpdatePermission,
} from '@svc/cdktf'
import type { ITerraformDependable } from 'cdktf'
import type { Construct } from 'constructs'
import type { Store } from './tables.ts'

/** What every role may see of the catalogue. */
const catalogue: Readonly<Record<string, readonly string[]>> = {
  album: ['id', 'artist_id', 'title', 'released_on'],
  artist: ['id', 'name', 'country'],
  genre: ['id', 'name'],
  media_type: ['id', 'name', 'lossless'],
  playlist: ['id', 'name'],
  playlist_track: ['playlist_id', 'track_id'],
  track: ['id', 'album_id', 'position', 'name', 'genre_id', 'media_type_id', 'composer', 'milliseconds', 'unit_price'],
}
const atMost100 = ['playlist_track', 'track']
const customersCount = ['album', 'artist', 'track']

const themselves = { _eq: 'X-Svc-Customer-Id' }
const thoseServed = { support_rep_id: { _eq: 'X-Svc-Employee-Id' } }

/** Whose rows an employee may see; all rows where nothing is said. */
const employeeRows: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.keys(catalogue).map((table) => [table, {}])),
  customer: thoseServed,
  customer_sales: { customer: thoseServed },
  genre_sales: {},
  invoice: { customer: thoseServed },
  invoice_line: { invoice: { customer: thoseServed } },
}

export function declarePermissions(
  scope: Construct,
  store: Store,
  relationships: readonly ITerraformDependable[],
  computed: Readonly<Record<string, ComputedField>>,
): void {
  type Permission = Omit<SelectPermissionConfig, 'source' | 'table' | 'role' | 'dependsOn'>
  const allow = (role: string, table: string, permission: Permission) =>
    new SelectPermission(scope, `permission_${table}_${role}`, {
      source: store.source.name,
      table: store.table(table).table,
      role,
      computedFields: computed[table] && [computed[table].name],
      ...permission,
      // A relationship in a condition is a plain name: that it is to be there first, Terraform needs `depends_on`.
      dependsOn: [...relationships],
    })

  for (const [table, columns] of Object.entries(catalogue)) {
    const limit = atMost100.includes(table) ? 100 : undefined
    allow('listener', table, { columns, filter: {}, limit })
    allow('customer', table, { columns, filter: {}, limit, allowAggregations: customersCount.includes(table) })
  }

  const customer = allow('customer', 'customer', {
    columns: ['id', 'first_name', 'last_name', 'company', 'email', 'city', 'country'],
    filter: { id: themselves },
    comment: 'Only themselves',
  })
  allow('customer', 'customer_sales', { allColumns: true, filter: { customer_id: themselves } })
  allow('customer', 'invoice', {
    allColumns: true,
    filter: { customer_id: themselves },
    allowAggregations: true,
    comment: 'Only their own purchases',
  })
  allow('customer', 'invoice_line', {
    columns: ['id', 'invoice_id', 'track_id', 'unit_price', 'quantity'],
    filter: { invoice: { customer_id: themselves } },
  })
  allow('customer', 'employee', {
    columns: ['id', 'first_name', 'last_name', 'email'],
    filter: { customers: { id: themselves } },
    comment: 'Whom to ask: their own support representative',
  })

  new InsertPermission(scope, 'insert_permission_invoice_customer', {
    source: store.source.name,
    table: store.table('invoice').table,
    role: 'customer',
    columns: ['billing_city', 'billing_country', 'total'],
    check: { customer_id: themselves },
    set: { customer_id: 'X-Svc-Customer-Id', invoiced_at: 'now' },
    comment: 'They buy for themselves',
  })
  new InsertPermission(scope, 'insert_permission_invoice_line_customer', {
    source: store.source.name,
    table: store.table('invoice_line').table,
    role: 'customer',
    columns: ['invoice_id', 'track_id', 'unit_price', 'quantity'],
    check: { invoice: { customer_id: themselves }, track: { unit_price: { _ceq: ['$', 'unit_price'] } } },
    comment: 'On their own invoices, at the price of the track',
    dependsOn: [...relationships],
  })
  new UpdatePermission(scope, 'update_permission_customer_customer', {
    source: store.source.name,
    table: store.table('customer').table,
    role: 'customer',
    columns: ['company', 'email', 'city', 'country'],
    filter: { id: themselves },
    check: { id: themselves },
    comment: 'Only their own account',
  })

  for (const [table, filter] of Object.entries(employeeRows))
    allow('employee', table, {
      allColumns: true,
      filter,
      allowAggregations: true,
      comment: table === 'customer' ? 'Only those they look after' : undefined,
    })
  const employee = allow('employee', 'employee', {
    columns: ['id', 'first_name', 'last_name', 'title', 'reports_to', 'email', 'hired_on'],
    filter: {},
  })

  // Employees buy, too: their own purchases and those of the customers whom they support.
  new InheritedRole(scope, 'buying_employee', {
    roleName: 'buying_employee',
    roleSet: [customer.role, employee.role],
  })
}
