import type { LogSettings, WriteLine } from './log-line.ts'
import type { Listener } from './observer.ts'

type EventKind =
  | 'eventing-started'
  | 'eventing-withheld'
  | 'eventing-resumed'
  | 'event-attempted'
  | 'events-unavailable'
  | 'events-available'
  | 'events-falling-behind'
  | 'events-freed'
  | 'cron-planning-failed'
  | 'event-logs-cleaned'

/** What is logged of event triggers and schedules. */
export function eventLines(settings: LogSettings, write: WriteLine): Pick<Listener, EventKind> {
  const typeOf = (source: string | null) => (source === null ? 'scheduled-trigger' : 'event-trigger')
  const processOf = (source: string | null) => `${typeOf(source)}-process` as const
  return {
    'eventing-started': ({ httpPoolSize, fetchInterval, batchSize }) =>
      write('info', 'startup', {
        kind: 'event_triggers',
        info: {
          message: 'Delivering events',
          http_pool_size: httpPoolSize,
          fetch_interval: fetchInterval / 1000,
          fetch_batch_size: batchSize,
        },
      }),
    'eventing-withheld': ({ identity, owner }) =>
      write('warn', 'event-trigger-process', {
        message:
          owner === null
            ? `No events are sent: it is not known whether the catalogue is that of "${identity}"`
            : `No events are sent: the catalogue is that of "${owner}". svc-engine adopt-catalogue makes it that of "${identity}"`,
        identity,
        owner,
      }),
    'eventing-resumed': ({ identity }) =>
      write('info', 'event-trigger-process', {
        message: `Events are sent: the catalogue is that of "${identity}"`,
        identity,
      }),
    'event-attempted': ({ source, trigger, event, tries, outcome, status, milliseconds }) => {
      const failed = outcome !== 'delivered'
      write(failed && settings.failedEventsAsErrors ? 'error' : 'info', typeOf(source), {
        ...(source !== null && { source }),
        ...(trigger !== null && { trigger_name: trigger }),
        event_id: event,
        outcome,
        tries: tries + 1,
        status,
        time_taken: milliseconds / 1000,
      })
    },
    'events-unavailable': ({ source, error: { message, code } }) =>
      write('error', processOf(source), {
        message: source === null ? 'Scheduled events cannot be read' : `Events of source "${source}" cannot be read`,
        error: { message, code },
      }),
    'events-available': ({ source }) =>
      write('info', processOf(source), {
        message: source === null ? 'Scheduled events are read again' : `Events of source "${source}" are read again`,
      }),
    'events-falling-behind': ({ source, batches }) =>
      write('warn', processOf(source), {
        message: `${source === null ? 'Scheduled events' : `Events of source "${source}"`} come faster than they are delivered`,
        full_batches: batches,
      }),
    'events-freed': ({ source, events }) =>
      write('warn', processOf(source), { message: 'Events of an instance that ended are free again', source, events }),
    'cron-planning-failed': ({ error: { message, code } }) =>
      write('error', 'cron-event-generator-process', {
        message: 'Events of cron triggers cannot be planned',
        error: { message, code },
      }),
    'event-logs-cleaned': ({ source, trigger, events, invocations }) =>
      write('info', 'event-trigger-process', {
        message: 'Event logs cleaned',
        source,
        trigger_name: trigger,
        deleted_event_logs: events,
        deleted_event_invocation_logs: invocations,
      }),
  }
}
