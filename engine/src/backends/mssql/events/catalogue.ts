import { ApiError, type Path } from '../../../errors.ts'
import type { HeldTransaction } from '../connect/transaction.ts'

/**
 * The tables of event triggers in a source (docs/sql-server.md#events). None has an IDENTITY, and no index of them is
 * filtered: what a trigger writes must not depend on the settings of anyone who changes a row, nor change what
 * `@@IDENTITY` returns.
 */
const tables: readonly (readonly [name: string, columns: string])[] = [
  ['svc_source_catalog_version', '[version] int NOT NULL PRIMARY KEY, [upgraded_on] datetime2 NOT NULL'],
  [
    'event_log',
    `[id] uniqueidentifier NOT NULL PRIMARY KEY DEFAULT NEWID(), [schema_name] nvarchar(max) NOT NULL,
  [table_name] nvarchar(max) NOT NULL, [trigger_name] nvarchar(850) NOT NULL, [payload] nvarchar(max) NOT NULL,
  [delivered] bit NOT NULL DEFAULT 0, [error] bit NOT NULL DEFAULT 0, [tries] int NOT NULL DEFAULT 0,
  [created_at] datetimeoffset NOT NULL DEFAULT TODATETIMEOFFSET(SYSUTCDATETIME(), '+00:00'), [locked] datetimeoffset NULL,
  [next_retry_at] datetimeoffset NULL, [archived] bit NOT NULL DEFAULT 0, [locked_by] nvarchar(100) NULL`,
  ],
  [
    'event_invocation_logs',
    `[id] uniqueidentifier NOT NULL PRIMARY KEY DEFAULT NEWID(), [trigger_name] nvarchar(850) NULL,
  [event_id] uniqueidentifier NULL, [status] int NULL, [request] nvarchar(max) NULL, [response] nvarchar(max) NULL,
  [created_at] datetimeoffset NOT NULL DEFAULT TODATETIMEOFFSET(SYSUTCDATETIME(), '+00:00')`,
  ],
  [
    'svc_event_log_cleanups',
    `[id] uniqueidentifier NOT NULL PRIMARY KEY DEFAULT NEWID(), [trigger_name] nvarchar(800) NOT NULL,
  [scheduled_at] datetimeoffset NOT NULL, [deleted_event_logs] int NULL, [deleted_event_invocation_logs] int NULL,
  [status] nvarchar(20) NOT NULL DEFAULT N'scheduled'
    CHECK ([status] IN (N'scheduled', N'paused', N'completed', N'dead')), UNIQUE ([trigger_name], [scheduled_at])`,
  ],
  [
    'svc_event_instances',
    '[id] nvarchar(100) NOT NULL PRIMARY KEY, [beats] bigint NOT NULL, [heard_at] datetimeoffset NOT NULL',
  ],
  ['svc_source_transactions', '[id] nvarchar(100) NOT NULL PRIMARY KEY, [begun_at] datetimeoffset NOT NULL'],
]

const indexes: readonly (readonly [name: string, on: string])[] = [
  ['event_log_trigger_name', '[event_log] ([trigger_name])'],
  ['event_log_fetch_events', '[event_log] ([delivered], [error], [archived], [locked], [next_retry_at], [created_at])'],
  ['event_invocation_logs_event_id', '[event_invocation_logs] ([event_id])'],
]

const CURRENT = 4

/** A database of another engine may have older ones: what they lack is added. */
const versionTable = 'svc_source_catalog_version'

/** Whether events can be stored: NULL where the tables are missing. */
export const askTables = `SELECT OBJECT_ID(N'svc_catalog.${versionTable}', N'U') AS [id]`

/** Makes or migrates what is missing, in the caller's transaction. Throws not-supported for tables of a newer engine. */
export async function prepareEventTables(transaction: HeldTransaction, path: Path): Promise<void> {
  const version = await readVersion(transaction)
  if (version === CURRENT) return
  if (version !== null && version > CURRENT)
    throw new ApiError(
      'not-supported',
      path,
      `the catalogue of events in the source has version ${version}: this engine knows ${CURRENT}`,
    )
  const [schema] = await transaction.batch(
    "SELECT SCHEMA_ID(N'svc_catalog') AS [id], HAS_PERMS_BY_NAME(N'dbo', N'USER', N'IMPERSONATE') AS [owner]",
  )
  const [id, owner] = schema?.rows[0] ?? []
  // triggers of tables that dbo owns may then write here for every client that changes a row
  if (id === null || id === undefined)
    await transaction.batch(`CREATE SCHEMA [svc_catalog]${Number(owner) === 1 ? ' AUTHORIZATION [dbo]' : ''}`)
  for (const [name, columns] of tables)
    await transaction.batch(
      `IF OBJECT_ID(N'svc_catalog.${name}', N'U') IS NULL CREATE TABLE [svc_catalog].[${name}] (${columns})`,
    )
  if (version !== null)
    await transaction.batch(
      `IF COL_LENGTH(N'svc_catalog.event_log', N'locked_by') IS NULL ALTER TABLE [svc_catalog].[event_log] ADD [locked_by] nvarchar(100) NULL`,
    )
  for (const [name, on] of indexes)
    await transaction.batch(
      `IF NOT EXISTS (SELECT 1 AS [x] FROM [sys].[indexes] WHERE [name] = N'${name}') CREATE INDEX [${name}] ON [svc_catalog].${on}`,
    )
  await transaction.batch(`DELETE FROM [svc_catalog].[${versionTable}]`)
  await transaction.batch(
    `INSERT INTO [svc_catalog].[${versionTable}] ([version], [upgraded_on]) VALUES (${CURRENT}, SYSUTCDATETIME())`,
  )
}

/** Null: there are no tables. */
export async function readVersion(transaction: HeldTransaction): Promise<number | null> {
  const [found] = await transaction.batch(askTables)
  const id = found?.rows[0]?.[0]
  if (id === null || id === undefined) return null
  const [set] = await transaction.batch(`SELECT MAX([version]) AS [version] FROM [svc_catalog].[${versionTable}]`)
  return Number(set?.rows[0]?.[0] ?? 0)
}

/** Removes everything that event triggers had: the caller knows that no trigger is left. */
export async function dropEventTables(transaction: HeldTransaction): Promise<void> {
  if ((await readVersion(transaction)) === null) return
  for (const [name] of tables) await transaction.batch(`DROP TABLE IF EXISTS [svc_catalog].[${name}]`)
  await transaction.batch('DROP SCHEMA [svc_catalog]')
}
