import type { MetadataDocument } from '@svc/schema'
import { addressText, diffDocuments, emptyDocument } from '@svc/schema'
import type pg from 'pg'
import { CatalogueRefused, sqlState } from './catalogue-error.ts'
import { catalogueVersion, type Migration, migrations } from './migrations.ts'

export interface Migrated {
  /** Null: the catalogue was made. */
  readonly from: number | null
  readonly to: number
}

/** Any number that no other program is likely to lock: engines that start at the same moment wait for each other on it. */
const bootLock = '7236283741'

/**
 * Creates the catalogue or brings it to this version, in one transaction (reference/server#start, step 3). `initial` is
 * stored as version 1 when there was none. Throws CatalogueRefused for a newer catalogue or a lack of privileges.
 */
export async function migrate(client: pg.Client, initial: MetadataDocument): Promise<Migrated> {
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [bootLock])
    const from = await readCatalogueVersion(client)
    if (from !== null && from > catalogueVersion) throw newerCatalogue(from)
    if (from === null && !(await exists(client, `SELECT FROM pg_namespace WHERE nspname = 'svc_catalog'`)))
      await client.query('CREATE SCHEMA svc_catalog')
    await runMigrations(client, migrations, from ?? 0)
    if (from === null) await storeInitial(client, initial)
    else if (from < catalogueVersion)
      await client.query('UPDATE svc_catalog.svc_version SET version = $1, upgraded_on = now()', [catalogueVersion])
    await client.query('COMMIT')
    return { from, to: catalogueVersion }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (sqlState(error) === '42501' && error instanceof Error)
      throw new CatalogueRefused(
        `the user of the metadata database may not create the catalogue (${error.message}): ` +
          'as the owner of the database run GRANT CREATE ON DATABASE … TO its user, or create the schema svc_catalog owned by it',
        { cause: error },
      )
    throw error
  }
}

/** The version of a catalogue that is left as it is. Throws CatalogueRefused where there is none, or a newer one. */
export async function checkCatalogue(client: pg.Client): Promise<Migrated> {
  const from = await readCatalogueVersion(client)
  if (from === null) throw new CatalogueRefused('there is no metadata yet, and maintenance mode makes none')
  if (from > catalogueVersion) throw newerCatalogue(from)
  return { from, to: from }
}

const newerCatalogue = (from: number) =>
  new CatalogueRefused(
    `the metadata database was used by a newer version of the engine (catalogue ${from}, this one knows ${catalogueVersion}): ` +
      'have that version downgrade it first (svc-engine downgrade), start that version, or restore a backup',
  )

/** Runs the migrations after `from`, in order, inside the caller's transaction. */
export async function runMigrations(client: pg.Client, all: readonly Migration[], from: number): Promise<void> {
  for (const { version, statements } of all) if (version > from) await client.query(statements)
}

/** Reads a catalogue's version; null: there is none. Throws CatalogueRefused for what is no version of ours. */
export async function readCatalogueVersion(client: pg.Client): Promise<number | null> {
  if (
    !(await exists(
      client,
      `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                              WHERE n.nspname = 'svc_catalog' AND c.relname = 'svc_version'`,
    ))
  )
    return null
  const { rows } = await client.query<{ version: string }>('SELECT version FROM svc_catalog.svc_version')
  const version = Number(rows[0]?.version)
  if (Number.isInteger(version)) return version
  throw new CatalogueRefused('svc_catalog.svc_version of the metadata database holds no version of this engine')
}

const exists = async (client: pg.Client, query: string) => (await client.query(query)).rows.length > 0

async function storeInitial(client: pg.Client, initial: MetadataDocument): Promise<void> {
  await client.query('INSERT INTO svc_catalog.svc_version (version) VALUES ($1)', [catalogueVersion])
  await client.query('INSERT INTO svc_catalog.metadata (id, resource_version, history_since) VALUES (1, 1, 1)')
  for (const { address, new: object } of diffDocuments(emptyDocument, initial))
    await client.query(
      'INSERT INTO svc_catalog.metadata_object (address, type, value, changed) VALUES ($1, $2, $3, 1)',
      [addressText(address), address.type, JSON.stringify(object?.value ?? {})],
    )
}
