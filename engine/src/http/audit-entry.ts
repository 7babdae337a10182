/** What the audit log has of a request (docs/access-tokens.md#audit-log). */
import { isRecord } from '@svc/schema'
import { headerText } from '../auth/index.ts'
import type { AuditEntry, AuditRecord, AuditRemarks, FailedMember } from '../metadata/index.ts'
import { adminRole, type Session } from '../session.ts'
import type { Reply, RouteRequest } from './route.ts'

const mostOperations = 100
/** Of JSON of them. */
const mostCharacters = 20_000
const longestName = 200

type Audited = Pick<RouteRequest, 'requestId' | 'path' | 'address' | 'headers' | 'body'> & {
  readonly remarks: AuditRemarks
}

/** The entry of a request that was carried out. */
export class RequestRecord implements AuditRecord {
  readonly #request: RouteRequest
  #made: AuditEntry | null = null
  /** Null: it is not stored. */
  storedEntry: AuditEntry | null = null

  constructor(request: RouteRequest) {
    this.#request = request
  }

  entryOf(resourceVersion: number): AuditEntry {
    const request = { ...this.#request, remarks: this.#request.notes.remarks }
    this.#made = entryOf(request, request.session, { status: 200, error: null, changes: { resourceVersion } })
    return this.#made
  }

  note(remarks: AuditRemarks): void {
    this.#request.notes.remarks = remarks
  }

  stored(): void {
    this.storedEntry = this.#made
  }
}

/** Returns the entry of a request once it is answered; null where it changed nothing and was not refused. */
export function auditEntry(
  request: Audited,
  session: Session | null,
  reply: Pick<Reply, 'status' | 'error' | 'changes'>,
): AuditEntry | null {
  return reply.status < 400 && !reply.changes ? null : entryOf(request, session, reply)
}

function entryOf(
  { requestId, path, address, headers, body, remarks: { failed = [], ...remarks } }: Audited,
  session: Session | null,
  reply: Pick<Reply, 'status' | 'error' | 'changes'>,
): AuditEntry {
  const { operations, count } = operationsOf(body, failed)
  const code = reply.error?.code
  return {
    request_id: requestId,
    actor: session && actorOf(session, headerText(headers, 'x-svc-actor')),
    credential: session && (session.access ? 'token' : session.role === adminRole ? 'admin' : 'session'),
    role: session?.role ?? null,
    address,
    user_agent: headerText(headers, 'user-agent')?.slice(0, longestName) ?? null,
    endpoint: path,
    operations,
    operation_count: count,
    dry_run: isRecord(body) && (body.dry_run === true || isRecord(body.dry_run)),
    outcome: outcomeOf(reply.status, failed.length > 0, remarks.ran_operations !== undefined),
    status: reply.status,
    code: typeof code === 'string' ? code : null,
    resource_version: reply.changes?.resourceVersion ?? null,
    ...remarks,
    ...(failed.length > 0 && { failed_operations: failed.length }),
  }
}

function outcomeOf(status: number, hasFailed: boolean, hasRun: boolean): AuditEntry['outcome'] {
  if (status < 400) return hasFailed ? 'partially-failed' : 'done'
  // what cannot be undone has its effect although the request was refused
  if (hasRun) return 'partially-failed'
  return status < 500 ? 'refused' : 'failed'
}

/** Free text (docs/metadata-api.md#what-changed). */
const longestActor = 200

/**
 * The owner of an access token is proved; what a request says of itself is a remark, and must not be mistaken for a
 * name.
 */
export function actorOf({ access }: Session, given: string | null): string | null {
  const remark = given?.slice(0, longestActor) ?? null
  if (!access) return remark?.replace(/^\s*(token|oidc)\b/i, '"$&"') ?? null
  return remark === null ? access.actor : `${access.actor}: ${remark}`
}

function operationsOf(
  body: unknown,
  failed: readonly FailedMember[],
): { readonly operations: AuditEntry['operations']; readonly count: number } {
  const operations: AuditEntry['operations'][number][] = []
  const open: {
    readonly request: unknown
    readonly failure: Failure | undefined
    readonly code: string | undefined
  }[] = [{ request: body, failure: failureOf(failed), code: undefined }]
  let count = 0
  let characters = 0
  // members are added while it goes on: those of a bulk come after what stands next to it
  for (const { request, failure, code } of open) {
    const type = isRecord(request) && typeof request.type === 'string' ? request.type : null
    if (!isRecord(request) || type === null) continue
    if (Array.isArray(request.args)) {
      for (const [i, member] of request.args.entries()) {
        const below = failure?.members.get(i)
        if (isRecord(member)) open.push({ request: member, failure: below, code: code ?? below?.code })
      }
      if (/bulk/.test(type)) continue
    }
    count += 1
    if (operations.length >= mostOperations || characters >= mostCharacters) continue
    const operation = {
      type: /^[a-z][a-z0-9_]{0,99}$/.test(type) ? type : '?',
      object: namesIn(request.args),
      ...(code !== undefined && { code }),
    }
    operations.push(operation)
    characters += JSON.stringify(operation).length
  }
  return { operations, count }
}

/** What failed, as the tree of bulks that it was in: a bulk may be nested thousands of times. */
interface Failure {
  code?: string
  readonly members: Map<number, Failure>
}

function failureOf(failed: readonly FailedMember[]): Failure {
  const root: Failure = { members: new Map() }
  for (const { place, code } of failed) {
    let at = root
    for (const i of place) {
      const below = at.members.get(i) ?? { members: new Map() }
      at.members.set(i, below)
      at = below
    }
    at.code = code
  }
  return root
}

/** Keys whose values are names of objects: no URL, header or definition is among them. */
const naming =
  'source table function name role role_name remote_schema collection_name query_name action trigger_name event_id'.split(
    ' ',
  )

function namesIn(args: unknown): Record<string, string> {
  if (!isRecord(args)) return {}
  return Object.fromEntries(
    naming.flatMap((key) => {
      const text = nameOf(args[key])
      return text === null ? [] : [[key, text.slice(0, longestName)] as const]
    }),
  )
}

/** A text, or the parts of a name in a schema. */
function nameOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return null
  const parts = [value.dataset, value.schema, value.name].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join('.') : null
}
