import type pg from 'pg'
import { CatalogueRefused } from './catalogue-error.ts'
import { openConnection } from './connection.ts'
import { readCatalogueVersion } from './migrate.ts'
import { catalogueVersion, type Migration, migrations } from './migrations.ts'

/**
 * `svc-engine downgrade`: takes back the migrations after a version, in one transaction, so that an older engine can use the
 * catalogue. The result is the SQL, which a dry run does not run. Throws CatalogueRefused where that cannot be done.
 */
export async function downgradeCatalogue(url: string, to: number, dryRun: boolean): Promise<string> {
  const connection = openConnection({ url, usePreparedStatements: false })
  const client = await connection.connect()
  try {
    return await downgrade(client, migrations, to, dryRun)
  } finally {
    await client.end()
    await connection.close()
  }
}

/** The same with any list of migrations. */
async function downgrade(client: pg.Client, all: readonly Migration[], to: number, dryRun: boolean): Promise<string> {
  const from = await readCatalogueVersion(client)
  const newest = all.at(-1)?.version ?? catalogueVersion
  if (from === null) throw new CatalogueRefused('there is no catalogue to downgrade')
  if (from > newest) throw new CatalogueRefused(`the catalogue has version ${from}, and this engine knows ${newest}`)
  if (to < 1 || to > from) throw new CatalogueRefused(`the catalogue has version ${from}: give one from 1 to ${from}`)
  const steps = all.filter(({ version }) => version > to && version <= from).reverse()
  if (steps.length === 0) return ''
  const statements = [
    ...steps.map(({ reverse }) => reverse.trim()),
    `UPDATE svc_catalog.svc_version SET version = '${to}', upgraded_on = now();`,
  ]
  const sql = ['BEGIN;', ...statements, 'COMMIT;', ''].join('\n')
  if (!dryRun) await client.query(sql)
  return sql
}
