import type { Source, Table, TableName } from '../engine/metadata.ts'
import { addressOf } from '../navigate/location.ts'

/** The values by which a form names a table. */
export const valuesOfTable = (source: string, table: TableName) => ({
  source,
  table: typeof table === 'string' ? { name: table } : table,
})

/** The address of a form for an object that lies in a table: as it is, where these values name one. */
export const changeOf = (
  kind: string,
  source: Source,
  { table }: Pick<Table, 'table'>,
  values: Readonly<Record<string, string>> = {},
): string =>
  addressOf(['change'], { add: kind, values: JSON.stringify({ ...valuesOfTable(source.name, table), ...values }) })
