import * as svc from '@svc/pulumi'
import { inTable, store, tables } from './tables'

const within = { source: store.name }

export const albumDuration = new svc.ComputedField('albumDuration', {
  ...inTable('album'),
  name: 'duration',
  function: { name: 'album_duration' },
  comment: 'In milliseconds',
})

// It returns albums: the table is to be there first.
new svc.Function(
  'searchAlbums',
  { ...within, function: { name: 'search_albums' }, comment: 'Albums whose title has a word in it' },
  { dependsOn: tables.album },
)

const bestSeller = new svc.LogicalModel('bestSeller', {
  ...within,
  name: 'best_seller',
  description: 'A track, and how it sells in a country',
  fields: [
    { name: 'track_id', scalar: 'integer' },
    { name: 'sold', scalar: 'bigint' },
    { name: 'total', scalar: 'numeric' },
  ],
})

new svc.LogicalModelPermission('employee.bestSeller', {
  ...within,
  logicalModel: bestSeller.name,
  role: 'employee',
  allColumns: true,
  filter: {},
})

new svc.NativeQuery('bestSellers', {
  ...within,
  rootFieldName: 'best_sellers',
  code: `SELECT line.track_id, sum(line.quantity) AS sold, sum(line.quantity * line.unit_price) AS total
FROM invoice_line AS line JOIN invoice ON invoice.id = line.invoice_id
WHERE invoice.billing_country = {{country}}
GROUP BY line.track_id
`,
  arguments: { country: { type: 'text', description: 'Where it is billed' } },
  returns: bestSeller.name,
  objectRelationships: [{ name: 'track', remoteTable: tables.track.table, columnMapping: { track_id: 'id' } }],
})
