import type { Source, Table } from '../engine/metadata.ts'
import { addressOf } from '../navigate/location.ts'

/** The address of a form for an object that lies in a table: as it is, where these values name one. */
export const changeOf = (
  kind: string,
  source: Source,
  { table }: Table,
  values: Readonly<Record<string, string>> = {},
): string =>
  addressOf(['change'], {
    add: kind,
    values: JSON.stringify({
      source: source.name,
      table: typeof table === 'string' ? { name: table } : table,
      ...values,
    }),
  })
