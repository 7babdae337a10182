/**
 * The log of asynchronous actions, a table of the catalogue (reference/actions#asynchronous-actions). Its rows are
 * no one's metadata.
 */
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, once, repeatable } from './connection.ts'

interface ActionRequest {
  readonly action: string
  readonly input: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly session: Readonly<Record<string, string>>
}

export interface ClaimedAction {
  readonly id: string
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly session: Readonly<Record<string, string>>
}

interface LoggedAction {
  readonly id: string
  /** UTC, as JSON has times. */
  readonly createdAt: string
  /** Undefined: there is none yet. */
  readonly response: unknown
  readonly errors: unknown
  readonly session: Readonly<Record<string, string>>
}

export interface ActionLog {
  /** Its id. */
  add(request: ActionRequest): Promise<string>
  /** Rows of one action; what has no such id is left out. */
  read(action: string, ids: readonly string[]): Promise<readonly LoggedAction[]>
  /** Takes rows of these actions, the oldest first; each has so many seconds to be completed. */
  claim(actions: ReadonlyMap<string, number>, limit: number): Promise<readonly ClaimedAction[]>
  complete(id: string, response: unknown): Promise<void>
  fail(id: string, errors: unknown): Promise<void>
  /** Rows whose time is over: a caller that called their handler has died. */
  giveUpInterrupted(): Promise<readonly { readonly id: string; readonly action: string }[]>
}

const add = once('svc_action_add')`
   INSERT INTO svc_catalog.svc_action_log (action_name, input_payload, request_headers, session_variables, status)
   VALUES ($1, $2::jsonb, $3::jsonb, $4::jsonb, 'created') RETURNING id`

const read = repeatable('svc_action_read')`
   SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), response_payload, errors,
     session_variables
   FROM svc_catalog.svc_action_log WHERE action_name = $1 AND id = ANY($2::uuid[])`

const claim = once('svc_action_claim')`
   UPDATE svc_catalog.svc_action_log l SET status = 'processing', deadline = now() + make_interval(secs => a.seconds)
   FROM unnest($1::text[], $2::float8[]) AS a (name, seconds)
   WHERE l.action_name = a.name AND l.id IN (
     SELECT id FROM svc_catalog.svc_action_log
     WHERE status = 'created' AND action_name = ANY($1::text[])
     ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING l.id, l.action_name, l.input_payload, l.request_headers, l.session_variables`

const complete = repeatable('svc_action_complete')`
   UPDATE svc_catalog.svc_action_log SET response_payload = $2::jsonb, status = 'completed', response_received_at = now()
   WHERE id = $1 AND status = 'processing'`

const fail = repeatable('svc_action_fail')`
   UPDATE svc_catalog.svc_action_log SET errors = $2::jsonb, status = 'error', response_received_at = now()
   WHERE id = $1 AND status = 'processing'`

const giveUp = once('svc_action_give_up')`UPDATE svc_catalog.svc_action_log SET status = 'error', errors = $1::jsonb
   WHERE status = 'processing' AND deadline < now() RETURNING id, action_name`

const interrupted = JSON.stringify({
  error: 'the engine ended while the handler was called: whether it did its work is not known',
  path: '$',
  code: 'unexpected',
})

export function actionLog({ run }: CatalogueConnection): ActionLog {
  return {
    async add({ action, input, headers, session }) {
      const [row] = await run(add, [action, ...[input, headers, session].map((value) => storable(value))])
      return String(row?.[0])
    },
    async read(action, ids) {
      const rows = await run(read, [action, ids])
      return rows.map(([id, createdAt, response, errors, session]) => ({
        id: String(id),
        createdAt: shortTime(String(createdAt)),
        response: typeof response === 'string' ? parseExactly(response) : undefined,
        errors: typeof errors === 'string' ? parseExactly(errors) : null,
        session: record(session),
      }))
    },
    async claim(actions, limit) {
      const rows = await run(claim, [[...actions.keys()], [...actions.values()].map(String), limit])
      return rows.map(([id, action, input, headers, session]) => ({
        id: String(id),
        action: String(action),
        input: parseExactly(input ?? '{}') as Readonly<Record<string, unknown>>,
        headers: record(headers),
        session: record(session),
      }))
    },
    complete: async (id, response) => void (await run(complete, [id, storable(response)])),
    fail: async (id, errors) => void (await run(fail, [id, storable(errors)])),
    giveUpInterrupted: async () =>
      (await run(giveUp, [interrupted])).map(([id, action]) => ({ id: String(id), action: String(action) })),
  }
}

/** jsonb stores no NUL character and no half of one outside the basic plane. */
const storable = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  )

const record = (text: string | null | undefined): Readonly<Record<string, string>> =>
  JSON.parse(text ?? '{}') as Readonly<Record<string, string>>

/** The fraction as reference/actions#webhooks has it: none where it is zero, else three or six digits. */
const shortTime = (time: string): string => time.replace(/\.000000Z$/, 'Z').replace(/(\.\d{3})000Z$/, '$1Z')
