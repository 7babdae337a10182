import { Source, Table, type TableConfig } from '@svc/cdktf'
import type { Construct } from 'constructs'

/** The source and its tables, which everything else lies in. */
export interface Store {
  readonly source: Source
  readonly table: (name: string) => Table
}

/** What is said of single tables; of the others nothing but that they are served. */
const tables: Readonly<Record<string, Omit<TableConfig, 'table'>>> = {
  album: {},
  artist: {},
  customer: {},
  customer_sales: {},
  employee: { columnConfig: { reports_to: { customName: 'manager_id' } } },
  genre: {},
  genre_sales: {},
  invoice: {},
  invoice_line: {},
  media_type: {},
  playlist: {},
  playlist_track: { customName: 'playlist_entry', comment: 'One track on one playlist' },
  track: {},
}

export function declareTables(scope: Construct): Store {
  const source = new Source(scope, 'source', {
    name: 'default',
    databaseUrlFromEnv: 'SVC_GRAPHQL_DATABASE_URL',
    poolSettings: { maxConnections: 50, idleTimeout: 180, retries: 1, connectionLifetime: 600 },
  })
  const made = new Map(
    Object.entries(tables).map(([name, config]) => [
      name,
      new Table(scope, `table_${name}`, { source: source.name, table: { name }, ...config }),
    ]),
  )
  return {
    source,
    table(name) {
      const table = made.get(name)
      if (!table) throw new Error(`there is no table ${name}`)
      return table
    },
  }
}
