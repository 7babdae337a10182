import * as svc from '@svc/pulumi'
import { inTable, type TableName, tables } from './tables'

/** The table's own column has a foreign key. */
const toOne = (table: TableName, name: string, column: string, comment?: string) =>
  new svc.ObjectRelationship(`${table}.${name}`, { ...inTable(table), name, foreignKeyColumns: [column], comment })

/** The other table's column has a foreign key to this one. */
const toMany = (table: TableName, name: string, other: TableName, column: string) =>
  new svc.ArrayRelationship(`${table}.${name}`, {
    ...inTable(table),
    name,
    remoteForeignKey: { table: tables[other].table, columns: [column] },
  })

/** A view has no foreign keys: columns that equal each other are named. */
const toView = (table: TableName, name: string, other: TableName, columnMapping: Record<string, string>) =>
  new svc.ObjectRelationship(`${table}.${name}`, {
    ...inTable(table),
    name,
    manualConfiguration: { remoteTable: tables[other].table, columnMapping },
  })

// Permissions whose filter goes through a relationship are to be made after it.
export const lineInvoice = toOne('invoice_line', 'invoice', 'invoice_id')
export const invoiceCustomer = toOne('invoice', 'customer', 'customer_id')
export const salesCustomer = toView('customer_sales', 'customer', 'customer', { customer_id: 'id' })
export const employeeCustomers = toMany('employee', 'customers', 'customer', 'support_rep_id')

toOne('album', 'artist', 'artist_id')
toOne('customer', 'support_rep', 'support_rep_id')
toOne('employee', 'manager', 'reports_to', 'Null for the general manager')
export const lineTrack = toOne('invoice_line', 'track', 'track_id')
toOne('playlist_track', 'playlist', 'playlist_id')
toOne('playlist_track', 'track', 'track_id')
toOne('track', 'album', 'album_id')
toOne('track', 'genre', 'genre_id')
toOne('track', 'media_type', 'media_type_id')

toMany('album', 'tracks', 'track', 'album_id')
toMany('artist', 'albums', 'album', 'artist_id')
toMany('customer', 'invoices', 'invoice', 'customer_id')
toMany('employee', 'reports', 'employee', 'reports_to')
toMany('genre', 'tracks', 'track', 'genre_id')
toMany('invoice', 'lines', 'invoice_line', 'invoice_id')
toMany('media_type', 'tracks', 'track', 'media_type_id')
toMany('playlist', 'entries', 'playlist_track', 'playlist_id')
toMany('track', 'invoice_lines', 'invoice_line', 'track_id')
toMany('track', 'playlist_entries', 'playlist_track', 'track_id')

toView('customer', 'sales', 'customer_sales', { id: 'customer_id' })
toView('genre', 'sales', 'genre_sales', { id: 'genre_id' })
toView('genre_sales', 'genre', 'genre', { genre_id: 'id' })
