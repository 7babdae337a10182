import type { Services } from '../http/index.ts'
import type { MetadataStore } from '../metadata/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'

/** How many refusals of unknown actors are stored in a second; all are logged. */
const mostStrangers = 10

/** Returns the audit log: it writes a line of the log and an entry in the catalogue for each request. */
export function auditRequests(store: Pick<MetadataStore, 'auditLog'>, observer: Observer): Services['audit'] {
  let second = 0
  let strangers = 0
  return async (entry, isKept) => {
    observer.report({ kind: 'audited', entry: { ...entry }, isRefused: entry.outcome !== 'done' })
    if (isKept) return
    if (entry.credential === null) {
      const now = Math.floor(Date.now() / 1000)
      strangers = now === second ? strangers + 1 : 1
      second = now
      if (strangers > mostStrangers) return
    }
    await store.auditLog.add(entry).catch((error: unknown) => {
      observer.report({ kind: 'audit-log-failed', requestId: entry.request_id, error: errorReport(error) })
    })
  }
}
