import type { Client, Json } from '../engine/client.ts'
import { type Metadata, shownTable } from '../engine/metadata.ts'
import type { ObjectKey } from '../navigate/object-address.ts'

/** What has events: a trigger of a table, a schedule, or the one-off events together. */
export type Queue = {
  readonly name: string
  readonly title: string
  readonly about: string
  /** Null: of the one-off events together. */
  readonly object: ObjectKey | null
} & (
  | { readonly kind: 'trigger'; readonly source: string; readonly prefix: string; readonly cleanUp: 'paused' | null }
  | { readonly kind: 'cron' }
  | { readonly kind: 'one-off' }
)

export interface EventRow {
  readonly id: string
  readonly at: string
  readonly state: string
  readonly tries: number
  readonly next: string | null
  readonly payload: Json
}

export function queuesOf(metadata: Metadata): readonly Queue[] {
  const ofTables = (metadata.sources ?? []).flatMap(({ name: source, kind, tables }) =>
    (tables ?? []).flatMap(({ table, event_triggers }) =>
      (event_triggers ?? []).map(({ name, cleanup_config }): Queue => {
        const prefix = kind === 'mssql' ? 'mssql' : 'pg'
        const cleanUp = cleanup_config?.paused ? 'paused' : null
        const object = { type: 'event_trigger', key: { source, table, name } }
        return { kind: 'trigger', source, prefix, name, title: name, about: `on ${shownTable(table)}`, cleanUp, object }
      }),
    ),
  )
  const crons = (metadata.cron_triggers ?? []) as readonly { readonly name: string; readonly schedule: string }[]
  return [
    ...ofTables,
    ...crons.map(({ name, schedule }): Queue => {
      const object = { type: 'cron_trigger', key: { name } }
      return { kind: 'cron', name, title: name, about: schedule, object }
    }),
    { kind: 'one-off', name: '', title: 'One-off events', about: '', object: null },
  ]
}

type Row = Readonly<Record<string, Json>>

/** Events of a page. */
export const PAGE = 100

/** A page of the events, newest first: 0 is the first. Throws EngineError. */
export async function readEvents(client: Client, queue: Queue, page: number): Promise<readonly EventRow[]> {
  const range = { limit: PAGE, offset: page * PAGE }
  if (queue.kind === 'trigger') {
    const { name, source, prefix } = queue
    const rows = await client.read<readonly Row[]>(`${prefix}_get_event_logs`, { name, source, ...range })
    return rows.map((row) => ({ ...timesOf(row, 'created_at'), state: stateOf(row) }))
  }
  const { events } = await client.read<{ readonly events: readonly Row[] }>('get_scheduled_events', {
    type: queue.kind === 'cron' ? 'cron' : 'one_off',
    ...(queue.kind === 'cron' && { trigger_name: queue.name }),
    ...range,
    order_by: [{ column: 'scheduled_time', type: 'desc' }],
  })
  return events.map((row) => ({ ...timesOf(row, 'scheduled_time'), state: String(row.status) }))
}

/** The attempts to deliver an event, newest first. Throws EngineError. */
export async function readAttempts(client: Client, queue: Queue, event: string): Promise<readonly Json[]> {
  const { invocations } = await client.read<{ readonly invocations: readonly Json[] }>(
    queue.kind === 'trigger' ? `${queue.prefix}_get_event_by_id` : 'get_scheduled_event_invocations',
    queue.kind === 'trigger'
      ? { event_id: event, source: queue.source }
      : { event_id: event, type: queue.kind === 'cron' ? 'cron' : 'one_off' },
  )
  return invocations
}

const timesOf = (row: Row, at: string) => ({
  id: String(row.id),
  at: String(row[at] ?? ''),
  tries: Number(row.tries ?? 0),
  next: typeof row.next_retry_at === 'string' ? row.next_retry_at : null,
  payload: row.payload ?? null,
})

function stateOf({ delivered, error, locked, archived }: Row): string {
  if (delivered) return 'delivered'
  if (error) return 'error'
  if (archived) return 'archived'
  return locked ? 'being sent' : 'pending'
}
