import { type CatalogueConnection, once } from './connection.ts'

/** Whole versions go, oldest first, until at most $1 rows are left; history_since moves along in the same transaction. */
const pruneStatement = once('svc_prune')`
    WITH beyond AS (
      SELECT resource_version FROM svc_catalog.change_log
      ORDER BY resource_version DESC, position DESC OFFSET $1 LIMIT 1
    ), pruned AS (
      DELETE FROM svc_catalog.change_log l USING beyond b WHERE l.resource_version <= b.resource_version
    )
    UPDATE svc_catalog.metadata m SET history_since = greatest(m.history_since, b.resource_version)
    FROM beyond b WHERE m.id = 1`

/** Counts rows this instance wrote, and prunes after a hundredth of the bound. */
export function logPruner(connection: CatalogueConnection, bound: number) {
  const every = Math.max(1, Math.floor(bound / 100))
  let written = 0
  let running: Promise<void> = Promise.resolve()
  return {
    wrote(rows: number): void {
      written += rows
      if (written < every) return
      written = 0
      running = running.then(async () => {
        // a log that is too long harms no one; the next time will do
        await connection.run(pruneStatement, [bound]).catch(() => {})
      })
    },
    /** For a close in good order. */
    idle: () => running,
  }
}
