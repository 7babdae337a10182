/**
 * The music store's rows, the same in every run: 275 artists, 347 albums, 3,503 tracks on 18 playlists (8,715 entries),
 * 59 customers with 412 invoices of 2,240 lines. Names are invented. Begin at catalogue.ts.
 */
import { makeCatalogue, makePlaylists } from './catalogue.ts'
import { seededRandom } from './random.ts'
import { makeSales } from './sales.ts'

export type Row = Readonly<Record<string, unknown>>

/** Rows by table, in an order that foreign keys allow. */
export function musicStoreRows(): Readonly<Record<string, readonly Row[]>> {
  const random = seededRandom(20_260_131)
  const catalogue = makeCatalogue(random)
  return { ...catalogue, ...makePlaylists(random), ...makeSales(random, catalogue.track) }
}
