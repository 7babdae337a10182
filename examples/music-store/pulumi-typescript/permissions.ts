import type { Resource } from '@pulumi/pulumi'
import * as svc from '@svc/pulumi'
import { albumDuration } from './functions'
import { employeeCustomers, invoiceCustomer, lineInvoice, lineTrack, salesCustomer } from './relationships'
import { inTable, type TableName } from './tables'

type Rules = Omit<svc.SelectPermissionArgs, 'source' | 'table' | 'role'>

/** What functions compute from a row. */
const computed: { [table in TableName]?: svc.ComputedField } = { album: albumDuration }

const computedFields = (table: TableName) => {
  const field = computed[table]
  return field && [field.name]
}

/** Relationships that a filter goes through are named in `after`: names in a filter create no order in Pulumi. */
const allow = (role: string, table: TableName, rules: Rules, after: Resource[] = []) =>
  new svc.SelectPermission(
    `${role}.${table}`,
    { ...inTable(table), role, computedFields: computedFields(table), ...rules },
    { dependsOn: after },
  )

/** What every role may see of the catalogue. */
const catalogue = {
  album: ['id', 'artist_id', 'title', 'released_on'],
  artist: ['id', 'name', 'country'],
  genre: ['id', 'name'],
  media_type: ['id', 'name', 'lossless'],
  playlist: ['id', 'name'],
  playlist_track: ['playlist_id', 'track_id'],
  track: ['id', 'album_id', 'position', 'name', 'genre_id', 'media_type_id', 'composer', 'milliseconds', 'unit_price'],
}
const catalogueTables = Object.keys(catalogue) as (keyof typeof catalogue)[]

for (const table of catalogueTables) {
  const rules = {
    columns: catalogue[table],
    filter: {},
    limit: table === 'playlist_track' || table === 'track' ? 100 : undefined,
  }
  allow('listener', table, rules)
  allow('customer', table, { ...rules, allowAggregations: ['album', 'artist', 'track'].includes(table) })
}

const themselves = { _eq: 'X-Svc-Customer-Id' }

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
allow(
  'customer',
  'invoice_line',
  {
    columns: ['id', 'invoice_id', 'track_id', 'unit_price', 'quantity'],
    filter: { invoice: { customer_id: themselves } },
  },
  [lineInvoice],
)
allow(
  'customer',
  'employee',
  {
    columns: ['id', 'first_name', 'last_name', 'email'],
    filter: { customers: { id: themselves } },
    comment: 'Whom to ask: their own support representative',
  },
  [employeeCustomers],
)

new svc.InsertPermission('customer.invoice.insert', {
  ...inTable('invoice'),
  role: 'customer',
  columns: ['billing_city', 'billing_country', 'total'],
  check: { customer_id: themselves },
  set: { customer_id: 'X-Svc-Customer-Id', invoiced_at: 'now' },
  comment: 'They buy for themselves',
})
new svc.InsertPermission(
  'customer.invoice_line.insert',
  {
    ...inTable('invoice_line'),
    role: 'customer',
    columns: ['invoice_id', 'track_id', 'unit_price', 'quantity'],
    check: { invoice: { customer_id: themselves }, track: { unit_price: { _ceq: ['$', 'unit_price'] } } },
    comment: 'On their own invoices, at the price of the track',
  },
  { dependsOn: [lineInvoice, lineTrack] },
)
new svc.UpdatePermission('customer.customer.update', {
  ...inTable('customer'),
  role: 'customer',
  columns: ['company', 'email', 'city', 'country'],
  filter: { id: themselves },
  check: { id: themselves },
  comment: 'Only their own account',
})

const theyServe = { support_rep_id: { _eq: 'X-Svc-Employee-Id' } }
const everything = { allColumns: true, allowAggregations: true }

for (const table of [...catalogueTables, 'genre_sales'] as const)
  allow('employee', table, { ...everything, filter: {} })

allow('employee', 'customer', { ...everything, filter: theyServe, comment: 'Only those they look after' })
allow('employee', 'customer_sales', { ...everything, filter: { customer: theyServe } }, [salesCustomer])
allow('employee', 'invoice', { ...everything, filter: { customer: theyServe } }, [invoiceCustomer])
allow('employee', 'invoice_line', { ...everything, filter: { invoice: { customer: theyServe } } }, [
  lineInvoice,
  invoiceCustomer,
])
const employee = allow('employee', 'employee', {
  columns: ['id', 'first_name', 'last_name', 'title', 'reports_to', 'email', 'hired_on'],
  filter: {},
})

// Employees buy, too: their own purchases and those of the customers whom they support.
new svc.InheritedRole('buyingEmployee', { roleName: 'buying_employee', roleSet: [customer.role, employee.role] })
