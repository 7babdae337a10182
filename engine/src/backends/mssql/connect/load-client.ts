import { SourceUnavailable } from '../../backend.ts'

/** The npm package `mssql`. */
export type Client = typeof import('@svc/mssql')['mssql']
export type Pool = InstanceType<Client['ConnectionPool']>
export type Request = InstanceType<Client['Request']>

let loaded: Promise<Client> | null = null

/**
 * Loads the client of SQL Server: it takes a second and 70 MB, so engines without such a source do without. Rejects with
 * SourceUnavailable where its package is not installed.
 */
export function loadClient(): Promise<Client> {
  loaded ??= import('@svc/mssql').then(
    ({ mssql }) => mssql,
    (cause: unknown) => {
      loaded = null
      throw new SourceUnavailable('sources of SQL Server need the package @svc/mssql: npm install @svc/mssql', {
        cause,
      })
    },
  )
  return loaded
}
