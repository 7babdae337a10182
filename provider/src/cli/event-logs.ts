import {
  childrenOf,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  meantWord,
  operationPrefix,
  recordOf,
  recordsIn,
  tablesWith,
} from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { ConfigError } from './config.ts'
import { durationIn } from './duration.ts'

export const eventStatuses = ['pending', 'processed', 'delivered', 'error'] as const
export type EventStatus = (typeof eventStatuses)[number]

/** What makes events, of which kind as it is printed. `prefix`: of the operations on the trigger's source. */
export type EventOrigin =
  | { readonly kind: 'event_trigger'; readonly prefix: string; readonly source: string; readonly name: string }
  | { readonly kind: 'cron'; readonly name: string }
  | { readonly kind: 'one_off' }

export interface LogRequest {
  readonly status: EventStatus | null
  /** A timestamp. */
  readonly since: string | null
}

/** All that the metadata has: event triggers of every source, cron triggers, one-off events. */
export function originsOf(document: MetadataDocument): readonly EventOrigin[] {
  const ofTables = [...childrenOf(document, 'source').values()].flatMap((source) =>
    [...tablesWith(source, 'event_trigger').values()].flatMap((table) =>
      [...childrenOf(table, 'event_trigger').values()].map(
        ({ value }): EventOrigin => ({
          kind: 'event_trigger',
          prefix: operationPrefix(kindOfSource(source.value)),
          source: String(source.value.name),
          name: String(value.name),
        }),
      ),
    ),
  )
  const ofCron = [...childrenOf(document, 'cron_trigger').values()].map(
    ({ value }): EventOrigin => ({ kind: 'cron', name: String(value.name) }),
  )
  return [...ofTables, ...ofCron, { kind: 'one_off' }]
}

/** Event triggers of that name, in that source or in any. Throws ConfigError where there is none. */
export function triggersCalled(origins: readonly EventOrigin[], name: string, source: string | undefined) {
  const triggers = origins.flatMap((one) => (one.kind === 'event_trigger' ? [one] : []))
  const found = triggers.filter((one) => one.name === name && (source === undefined || one.source === source))
  if (found.length > 0) return found
  const meant = meantWord(
    name,
    triggers.map((one) => one.name),
  )
  throw new ConfigError(
    `there is no event trigger ${name}${source === undefined ? '' : ` in source ${source}`}${meant === null ? '' : `: did you mean ${meant}?`}`,
  )
}

/** A page of the events of one origin, newest first. Throws ClientError. */
export async function readEvents(
  client: MetadataClient,
  origin: EventOrigin,
  { status, since }: LogRequest,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly JsonObject[]> {
  const shared = { ...page, ...(since !== null && { since }) }
  if (origin.kind === 'event_trigger') {
    const { prefix, name, source } = origin
    const args = { ...shared, name, source, ...(status !== null && { status }) }
    return recordsIn((await client.send({ type: `${prefix}_get_event_logs`, args })).body)
  }
  const args = {
    ...shared,
    type: origin.kind,
    ...(origin.kind === 'cron' && { trigger_name: origin.name }),
    status: scheduledStatuses(status),
    order_by: [{ column: 'scheduled_time', type: 'desc' }],
  }
  const { body } = await client.send({ type: 'get_scheduled_events', args })
  return recordsIn(recordOf(body).events)
}

/** Without a status what has begun: cron triggers are planned a hundred times ahead. */
function scheduledStatuses(status: EventStatus | null): readonly string[] {
  switch (status) {
    case 'pending':
      return ['scheduled', 'locked']
    case 'delivered':
      return ['delivered']
    case 'error':
      return ['error', 'dead']
    case 'processed':
      return ['delivered', 'error', 'dead']
    case null:
      return ['locked', 'delivered', 'error', 'dead']
  }
}

/** The status of an event in one word. */
export function statusOf({ status, delivered, error, locked, archived }: JsonObject): string {
  if (typeof status === 'string') return status
  if (delivered === true) return 'delivered'
  if (error === true) return 'error'
  if (archived === true) return 'archived'
  return locked === null ? 'pending' : 'locked'
}

/** `90s`, `15m`, `2h`, `3d` ago, or a timestamp, as a timestamp. Throws ConfigError. */
export function readSince(text: string, now: number): string {
  const ago = durationIn(text)
  const time = ago === null ? Date.parse(text) : now - ago * 1000
  const date = new Date(time)
  if (Number.isNaN(date.getTime()))
    throw new ConfigError(`--since ${text} is neither a time ago, such as 90s, 15m, 2h, 3d, nor a timestamp`)
  return date.toISOString()
}
