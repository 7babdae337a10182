import type { AdminAnswer, AdminEndpoint, RequestFacts } from '../admin/index.ts'
import type { Session } from '../session.ts'

/** What the routes call; server.ts puts it together. */
export interface Services {
  /** Whether the catalogue answers, and whether the served model has inconsistent objects. */
  health(): Promise<{ readonly reachable: boolean; readonly consistent: boolean }>
  /** Throws ApiError. */
  admin(endpoint: AdminEndpoint, body: unknown, session: Session, facts: RequestFacts): Promise<AdminAnswer>
  /** Of every answer of /v1/metadata, errors included (wire.md). */
  adminHeaders(): Readonly<Record<string, string>>
}
