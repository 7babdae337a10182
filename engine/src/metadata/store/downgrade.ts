import type pg from 'pg'
import { CatalogueRefused } from './catalogue-error.ts'
import { withClient, withConnection } from './connection.ts'
import { readCatalogueVersion } from './migrate.ts'
import { catalogueVersion, migrations } from './migrations.ts'

/**
 * `svc-engine downgrade`: takes back the migrations after a version, in one transaction, so that an older engine can use the
 * catalogue. The result is the SQL, which a dry run does not run. Throws CatalogueRefused where that cannot be done.
 */
export const downgradeCatalogue = (url: string, to: number, dryRun: boolean): Promise<string> =>
  withConnection(url, (connection) => withClient(connection, (client) => downgrade(client, to, dryRun)))

async function downgrade(client: pg.Client, to: number, dryRun: boolean): Promise<string> {
  const from = await readCatalogueVersion(client)
  if (from === null) throw new CatalogueRefused('there is no catalogue to downgrade')
  if (from > catalogueVersion)
    throw new CatalogueRefused(`the catalogue has version ${from}, and this engine knows ${catalogueVersion}`)
  if (to < 1 || to > from) throw new CatalogueRefused(`the catalogue has version ${from}: give one from 1 to ${from}`)
  const steps = migrations.filter(({ version }) => version > to && version <= from).reverse()
  if (steps.length === 0) return ''
  const statements = [
    ...steps.map(({ reverse }) => reverse.trim()),
    `UPDATE svc_catalog.svc_version SET version = '${to}', upgraded_on = now();`,
  ]
  const sql = ['BEGIN;', ...statements, 'COMMIT;', ''].join('\n')
  if (!dryRun) await client.query(sql)
  return sql
}
