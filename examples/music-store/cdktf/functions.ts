import {
  ComputedField,
  LogicalModel,
  LogicalModelPermission,
  NativeQuery,
  Function as TrackedFunction,
} from '@svc/cdktf'
import type { Construct } from 'constructs'
import type { Store } from './tables.ts'

const bestSellers = `SELECT line.track_id, sum(line.quantity) AS sold, sum(line.quantity * line.unit_price) AS total
FROM invoice_line AS line JOIN invoice ON invoice.id = line.invoice_id
WHERE invoice.billing_country = {{country}}
GROUP BY line.track_id
`

/** What functions and queries in SQL return; the computed fields by their tables, for permissions. */
export function declareFunctions(scope: Construct, { source, table }: Store): Readonly<Record<string, ComputedField>> {
  const within = { source: source.name }
  const duration = new ComputedField(scope, 'album_duration', {
    ...within,
    table: table('album').table,
    name: 'duration',
    function: { name: 'album_duration' },
    comment: 'In milliseconds',
  })
  new TrackedFunction(scope, 'search_albums', {
    ...within,
    function: { name: 'search_albums' },
    comment: 'Albums whose title has a word in it',
    // It returns albums: the table is to be there first.
    dependsOn: [table('album')],
  })
  const bestSeller = new LogicalModel(scope, 'best_seller', {
    ...within,
    name: 'best_seller',
    description: 'A track, and how it sells in a country',
    fields: [
      { name: 'track_id', scalar: 'integer' },
      { name: 'sold', scalar: 'bigint' },
      { name: 'total', scalar: 'numeric' },
    ],
  })
  new LogicalModelPermission(scope, 'best_seller_employee', {
    ...within,
    logicalModel: bestSeller.name,
    role: 'employee',
    allColumns: true,
    filter: {},
  })
  new NativeQuery(scope, 'best_sellers', {
    ...within,
    rootFieldName: 'best_sellers',
    code: bestSellers,
    arguments: { country: { type: 'text', description: 'Where it is billed' } },
    returns: bestSeller.name,
    objectRelationships: [{ name: 'track', remoteTable: table('track').table, columnMapping: { track_id: 'id' } }],
  })
  return { album: duration }
}
