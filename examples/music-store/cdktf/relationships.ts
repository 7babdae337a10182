import { ArrayRelationship, ObjectRelationship } from '@svc/cdktf'
import type { ITerraformDependable } from 'cdktf'
import type { Construct } from 'constructs'
import type { Store } from './tables.ts'

/** table.name: the table's own column with a foreign key */
const toOne = {
  'album.artist': 'artist_id',
  'customer.support_rep': 'support_rep_id',
  'invoice.customer': 'customer_id',
  'invoice_line.invoice': 'invoice_id',
  'invoice_line.track': 'track_id',
  'playlist_track.playlist': 'playlist_id',
  'playlist_track.track': 'track_id',
  'track.album': 'album_id',
  'track.genre': 'genre_id',
  'track.media_type': 'media_type_id',
}

/** table.name: the other table's column with a foreign key to this one */
const toMany = {
  'album.tracks': 'track.album_id',
  'artist.albums': 'album.artist_id',
  'customer.invoices': 'invoice.customer_id',
  'employee.customers': 'customer.support_rep_id',
  'employee.reports': 'employee.reports_to',
  'genre.tracks': 'track.genre_id',
  'invoice.lines': 'invoice_line.invoice_id',
  'media_type.tracks': 'track.media_type_id',
  'playlist.entries': 'playlist_track.playlist_id',
  'track.invoice_lines': 'invoice_line.track_id',
  'track.playlist_entries': 'playlist_track.track_id',
}

/** A view has no foreign keys: columns that equal each other are named. */
const toView = {
  'customer.sales': { other: 'customer_sales', columns: { id: 'customer_id' } },
  'customer_sales.customer': { other: 'customer', columns: { customer_id: 'id' } },
  'genre.sales': { other: 'genre_sales', columns: { id: 'genre_id' } },
  'genre_sales.genre': { other: 'genre', columns: { genre_id: 'id' } },
}

/** All of them, for permissions whose conditions lead through relationships. */
export function declareRelationships(scope: Construct, { source, table }: Store): readonly ITerraformDependable[] {
  const within = { source: source.name }
  return [
    ...Object.entries(toOne).map(([place, column]) => {
      const [of, name] = split(place)
      return new ObjectRelationship(scope, `${of}_${name}`, {
        ...within,
        table: table(of).table,
        name,
        foreignKeyColumns: [column],
      })
    }),
    new ObjectRelationship(scope, 'employee_manager', {
      ...within,
      table: table('employee').table,
      name: 'manager',
      foreignKeyColumns: ['reports_to'],
      comment: 'Null for the general manager',
    }),
    ...Object.entries(toView).map(([place, { other, columns }]) => {
      const [of, name] = split(place)
      return new ObjectRelationship(scope, `${of}_${name}`, {
        ...within,
        table: table(of).table,
        name,
        manualConfiguration: { remoteTable: table(other).table, columnMapping: columns },
      })
    }),
    ...Object.entries(toMany).map(([place, foreignKey]) => {
      const [of, name] = split(place)
      const [other, column] = split(foreignKey)
      return new ArrayRelationship(scope, `${of}_${name}`, {
        ...within,
        table: table(of).table,
        name,
        remoteForeignKey: { table: table(other).table, columns: [column] },
      })
    }),
  ]
}

function split(place: string): readonly [string, string] {
  const [of = '', name = ''] = place.split('.')
  return [of, name]
}
