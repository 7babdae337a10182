import type { ErrorReport } from './error-report.ts'

/** Events and their delivery (reference/event-triggers, reference/scheduled-triggers). */
export type EventObservation =
  | {
      readonly kind: 'eventing-started'
      readonly httpPoolSize: number
      /** Milliseconds. */
      readonly fetchInterval: number
      readonly batchSize: number
    }
  /** The catalogue is another deployment's (`owner`), or cannot be reached yet (null): no event is sent. */
  | { readonly kind: 'eventing-withheld'; readonly identity: string; readonly owner: string | null }
  /** Events are sent from now on. */
  | { readonly kind: 'eventing-resumed'; readonly identity: string }
  | {
      readonly kind: 'event-attempted'
      /** Which kind of event. */
      readonly of: 'event-trigger' | 'cron-trigger' | 'one-off'
      /** The source of an event trigger; null for other triggers. */
      readonly source: string | null
      /** The trigger's name; null for one-off events. */
      readonly trigger: string | null
      readonly event: string
      /** Attempts before this one. */
      readonly tries: number
      readonly outcome: 'delivered' | 'retry' | 'failed' | 'undeliverable' | 'dead'
      /** Of the response; null where there was none. */
      readonly status: number | null
      readonly milliseconds: number
    }
  /** A database of events does not answer; reported once until it does. */
  | { readonly kind: 'events-unavailable'; readonly source: string | null; readonly error: ErrorReport }
  | { readonly kind: 'events-available'; readonly source: string | null }
  /** Batches have been full for a while: events come faster than they are delivered. */
  | { readonly kind: 'events-falling-behind'; readonly source: string | null; readonly batches: number }
  /** Events that an instance had claimed which has ended. */
  | { readonly kind: 'events-freed'; readonly source: string | null; readonly events: number }
  /** Events of cron triggers are not made ahead for now. */
  | { readonly kind: 'cron-planning-failed'; readonly error: ErrorReport }
  | {
      readonly kind: 'event-logs-cleaned'
      readonly source: string
      readonly trigger: string
      readonly events: number
      readonly invocations: number
    }

export type ActionObservation =
  /** The handler of an action was called; its own time. */
  | {
      readonly kind: 'action-called'
      /** Of an asynchronous one: its id. */
      readonly requestId: string
      readonly action: string
      readonly status: number | null
      readonly failure: string | null
      /** Bytes. */
      readonly requestSize: number
      readonly responseSize: number
      readonly milliseconds: number
    }
  /** What came of an asynchronous action is in its log. */
  | { readonly kind: 'action-finished'; readonly id: string; readonly action: string; readonly failed: boolean }
  /** A process died while it called the handler, which is not called again. */
  | { readonly kind: 'action-interrupted'; readonly id: string; readonly action: string }
  /** The log of asynchronous actions cannot be read or written; it is tried again. */
  | { readonly kind: 'action-log-failed'; readonly error: ErrorReport }
