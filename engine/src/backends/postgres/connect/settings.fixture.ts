import type { ConnectionSettings } from '../../backend.ts'

/** Settings of a source as the tests of this module need them. */
export const settingsFor = (databaseUrl: string, over: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  source: 'default',
  databaseUrl,
  maxConnections: 5,
  idleTimeout: 180,
  connectionLifetime: 600,
  poolTimeout: null,
  retries: 1,
  isolationLevel: 'read-committed',
  usePreparedStatements: true,
  extensionsSchema: null,
  ssl: null,
  ...over,
})
