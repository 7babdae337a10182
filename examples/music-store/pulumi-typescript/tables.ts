import * as svc from '@svc/pulumi'

export const store = new svc.Source('store', {
  name: 'default',
  databaseUrlFromEnv: 'SVC_GRAPHQL_DATABASE_URL',
  poolSettings: { maxConnections: 50, idleTimeout: 180, retries: 1, connectionLifetime: 600 },
})

type Naming = Pick<svc.TableArgs, 'customName' | 'comment' | 'columnConfig'>

const track = (name: string, naming: Naming = {}) =>
  new svc.Table(name, { source: store.name, table: { name }, ...naming })

/** By their names in the database. */
export const tables = {
  album: track('album'),
  artist: track('artist'),
  customer: track('customer'),
  customer_sales: track('customer_sales'),
  employee: track('employee', { columnConfig: { reports_to: { customName: 'manager_id' } } }),
  genre: track('genre'),
  genre_sales: track('genre_sales'),
  invoice: track('invoice'),
  invoice_line: track('invoice_line'),
  media_type: track('media_type'),
  playlist: track('playlist'),
  playlist_track: track('playlist_track', { customName: 'playlist_entry', comment: 'One track on one playlist' }),
  track: track('track'),
}

export type TableName = keyof typeof tables

/** Where a relationship or a permission lies. An output of the table: it is made after it and goes before it. */
export const inTable = (name: TableName) => ({ source: store.name, table: tables[name].table })
