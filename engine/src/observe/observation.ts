/**
 * Everything worth reporting. Reporters state facts; listeners choose words and levels (reference/logs).
 * No field may hold a secret: database URLs go through `redactUrl`, errors through `errorReport`.
 */
export type Observation =
  | StartupObservation
  | WorkerObservation
  | EmbeddedObservation
  | CatalogueObservation
  | SourceObservation
  | MetadataObservation
  | AuthenticationObservation
  | TelemetryObservation
  | RequestObservation
  | EventObservation
  | OutgoingObservation
  | ActionObservation
  | WebsocketObservation
  | SubscriptionObservation

export type ObservationOf<K extends Observation['kind']> = Extract<Observation, { kind: K }>

/** An error as plain data; made by `errorReport`. */
export interface ErrorReport {
  readonly message: string
  /** SQLSTATE, errno name or our own code. */
  readonly code: string | null
  readonly stack: string | null
}

type StartupObservation =
  | { readonly kind: 'admin-secret-missing'; readonly host: string }
  | { readonly kind: 'configured'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly kind: 'startup-failed'; readonly message: string; readonly error: ErrorReport | null }
  | { readonly kind: 'server-started'; readonly url: string; readonly milliseconds: number }
  /** `signal` is null when the caller of an in-process server closed it; `requestsInFlight` where workers have them. */
  | { readonly kind: 'server-stopping'; readonly signal: string | null; readonly requestsInFlight: number | null }
  | { readonly kind: 'server-stopped'; readonly milliseconds: number }

/** Of --workers: by number, from 1. */
type WorkerObservation =
  | {
      readonly kind: 'worker-started'
      readonly worker: number
      readonly pid: number
      readonly url: string
      readonly milliseconds: number
    }
  | { readonly kind: 'worker-stopping'; readonly worker: number; readonly requestsInFlight: number }
  /** It had served; it is replaced unless the server stops. */
  | {
      readonly kind: 'worker-ended'
      readonly worker: number
      readonly pid: number
      readonly code: number | null
      readonly signal: string | null
    }
  /** One that was to replace another could not start. */
  | {
      readonly kind: 'worker-failed'
      readonly worker: number
      readonly message: string
      readonly error: ErrorReport | null
    }

type EmbeddedObservation =
  | {
      readonly kind: 'embedded-moved'
      readonly asked: string
      readonly directory: string
      readonly user: string
    }
  | { readonly kind: 'embedded-initialising'; readonly directory: string }
  | { readonly kind: 'embedded-leftover-stopped'; readonly pid: number }
  | {
      readonly kind: 'embedded-started'
      readonly directory: string
      readonly user: string | null
      readonly pid: number
      readonly log: string
      readonly milliseconds: number
    }
  | { readonly kind: 'embedded-stopped'; readonly directory: string }
  /** It ended without having been asked to; the engine cannot go on. */
  | { readonly kind: 'embedded-ended'; readonly lastLine: string }

type CatalogueObservation =
  | { readonly kind: 'catalogue-connecting'; readonly url: string }
  | {
      readonly kind: 'catalogue-unreachable'
      readonly attempt: number
      readonly of: number
      readonly error: ErrorReport
    }
  /** `from` is null on the first start. */
  | {
      readonly kind: 'catalogue-migrated'
      readonly from: number | null
      readonly to: number
      readonly milliseconds: number
    }
  | {
      readonly kind: 'metadata-loaded'
      readonly resourceVersion: number
      readonly objects: number
      readonly milliseconds: number
    }
  /** The listening connection is gone; polling goes on. */
  | { readonly kind: 'catalogue-lost'; readonly error: ErrorReport }
  | { readonly kind: 'catalogue-back' }

type SourceObservation =
  /** What a request asked a database: one statement, or those of a transaction that were sent together. */
  | {
      readonly kind: 'statement-executed'
      readonly source: string
      readonly statements: readonly string[]
      readonly milliseconds: number
      /** Its code; null where it succeeded. */
      readonly error: string | null
    }
  /** What metadata asks of a source's database could not be done there; metadata holds. */
  | {
      readonly kind: 'source-effects-failed'
      readonly source: string
      readonly effects: readonly string[]
      readonly error: ErrorReport
    }
  | {
      readonly kind: 'source-connected'
      readonly source: string
      readonly url: string
      readonly tables: number
      readonly milliseconds: number
    }
  | {
      readonly kind: 'source-unavailable'
      readonly source: string
      readonly attempt: number
      readonly retryInMilliseconds: number | null
      readonly error: ErrorReport
    }
  | {
      readonly kind: 'remote-schema-unavailable'
      readonly remoteSchema: string
      readonly attempt: number
      readonly retryInMilliseconds: number
      readonly error: ErrorReport
    }
  /** A source's health check was run. `isFinal`: a failure is not tried again before the next interval. */
  | {
      readonly kind: 'health-checked'
      readonly source: string
      readonly status: 'OK' | 'TIMEOUT' | 'ERROR' | 'FAILED'
      readonly error: unknown
      readonly timestamp: string
      readonly attempt: number
      readonly isFinal: boolean
      readonly milliseconds: number
    }
  /** A read replica of a source is asked nothing until it is found well again. */
  | {
      readonly kind: 'replica-left-out'
      readonly source: string
      /** Host, port and database. */
      readonly replica: string
      readonly reason: 'unreachable' | 'lagging' | 'differs'
      readonly message: string
    }
  | {
      readonly kind: 'replica-serving'
      readonly source: string
      readonly replica: string
      readonly lagMilliseconds: number
    }
  /** A read that failed on a replica was sent elsewhere. */
  | {
      readonly kind: 'replica-read-moved'
      readonly source: string
      readonly replica: string
      readonly reason: 'unreachable' | 'elsewhere' | 'differs'
    }
  | { readonly kind: 'source-lost'; readonly source: string; readonly error: ErrorReport }
  | {
      readonly kind: 'source-introspected'
      readonly source: string
      readonly tables: number
      /** Read again because their fingerprint had changed. */
      readonly read: number
      readonly milliseconds: number
    }
  /** A pooler in between loses named statements: unnamed ones from now on. */
  | { readonly kind: 'prepared-statements-off'; readonly source: string }

type MetadataObservation =
  | { readonly kind: 'bulk-started'; readonly requestId: string; readonly members: number; readonly atomic: boolean }
  | {
      readonly kind: 'metadata-committed'
      readonly requestId: string
      readonly resourceVersion: number
      readonly changed: number
      readonly milliseconds: number
    }
  /** Another instance was first: computed again on its version. */
  | { readonly kind: 'metadata-outrun'; readonly requestId: string; readonly base: number }
  | { readonly kind: 'metadata-inconsistent'; readonly objects: readonly unknown[] }
  | { readonly kind: 'model-updated'; readonly rebuilt: number; readonly milliseconds: number }
  /** What another instance changed is served here from now on. */
  | { readonly kind: 'metadata-synchronised'; readonly resourceVersion: number; readonly milliseconds: number }
  | { readonly kind: 'metadata-synchronisation-failed'; readonly error: ErrorReport }
  /** Another instance said that they are to be asked again. */
  | {
      readonly kind: 'remote-schemas-reloaded'
      readonly remoteSchemas: readonly string[] | 'all'
      readonly milliseconds: number
    }
  | { readonly kind: 'sources-reloaded'; readonly sources: readonly string[] | 'all'; readonly milliseconds: number }

/** What an operation asks whom (reference/logs, query-log). */
export interface QueryPlanned {
  readonly kind: 'query-planned'
  readonly requestId: string
  readonly role: string
  /** Which kind of root field (reference/logs). */
  readonly of: string
  readonly query: unknown
  /** By alias of the field; null where no database is asked. */
  readonly sql: Readonly<Record<string, LoggedStatement>> | null
}

interface LoggedStatement {
  readonly query: string
  readonly arguments: readonly (string | null)[]
  /** The variable that each argument came from: empty where it came from none, null where it may be any. */
  readonly origins: readonly (string | null)[]
}

/** One answered HTTP request, whatever became of it. */
export interface RequestAnswered {
  readonly kind: 'request-answered'
  readonly requestId: string
  readonly status: number
  readonly method: string
  readonly ip: string
  /** Path only. */
  readonly url: string
  readonly httpVersion: string
  readonly contentEncoding: 'gzip' | null
  /** Of its session; null: it was not authenticated. */
  readonly role: string | null
  readonly userVariables: Readonly<Record<string, string>> | null
  /** Bytes sent and before compression. */
  readonly responseSize: number
  readonly uncompressedResponseSize: number
  /** Seconds. */
  readonly requestReadTime: number
  readonly queryExecutionTime: number
  readonly mode: 'single' | 'batched' | 'non-graphql' | 'error'
  /** `type` of a metadata request. */
  readonly operation: string | null
  /** API shape with internal. */
  readonly error: Readonly<Record<string, unknown>> | null
  /** Of a batch. */
  readonly operations?: readonly BatchedOperation[] | undefined
  /** The request body; listeners decide whether it may be shown. */
  readonly query: unknown
  /** Whether `query` is one of /v1/metadata, /v1/query, /v2/query. */
  readonly isMetadata: boolean
  /** Only when the body could not be decoded. */
  readonly rawQuery: string | null
}

/** One operation of a batch, in its order. */
export interface BatchedOperation {
  readonly responseSize: number
  /** Seconds. */
  readonly queryExecutionTime: number
  /** API shape with internal. */
  readonly error: Readonly<Record<string, unknown>> | null
}

type AuthenticationObservation =
  /** `status` is null when none came; `response` is the beginning of one that refuses or cannot be used. */
  | {
      readonly kind: 'auth-hook-answered'
      readonly requestId: string
      readonly url: string
      readonly method: string
      readonly status: number | null
      readonly error: string | null
      readonly response: string | null
    }
  /** The keys at a jwk_url are in use from now on. */
  | { readonly kind: 'key-set-fetched'; readonly url: string; readonly keys: number }
  | {
      readonly kind: 'key-set-failed'
      readonly url: string
      readonly status: number | null
      readonly message: string
    }

type TelemetryObservation =
  | { readonly kind: 'telemetry-started'; readonly traces: boolean; readonly metrics: boolean }
  | { readonly kind: 'telemetry-failed'; readonly message: string }

type RequestObservation =
  | RequestAnswered
  /** One operation of GraphQL, over HTTP or a websocket; `code` is that of its error. */
  | {
      readonly kind: 'operation-executed'
      readonly requestId: string
      readonly role: string
      readonly api: string
      /** Null where it came to no plan. */
      readonly planCached: boolean | null
      readonly milliseconds: number
      readonly code: string | null
    }
  | QueryPlanned
  /** A bug of ours, or something no rule prescribes: answered 500 `unexpected`. */
  | { readonly kind: 'request-crashed'; readonly requestId: string; readonly error: ErrorReport }
  /** Malformed HTTP, a header too large, a client too slow. */
  | { readonly kind: 'connection-refused'; readonly reason: string; readonly status: number }

/** What becomes of events and of those who deliver them (reference/event-triggers, reference/scheduled-triggers). */
type EventObservation =
  | {
      readonly kind: 'eventing-started'
      readonly httpPoolSize: number
      /** Milliseconds. */
      readonly fetchInterval: number
      readonly batchSize: number
    }
  | {
      readonly kind: 'event-attempted'
      /** Which kind of event. */
      readonly of: 'event-trigger' | 'cron-trigger' | 'one-off'
      /** The source of an event trigger; null for others. */
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
  /** Events that an instance held which is no more. */
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

type OutgoingObservation =
  /** A request that the engine made itself: to a handler, a webhook, a remote schema, a key set. */
  {
    readonly kind: 'http-request-sent'
    /** Who asked for it. */
    readonly purpose: string
    /** Of its trace; null where it has none. */
    readonly spanId: string | null
    readonly requestId: string | null
    readonly method: string
    /** As configured, environment references unresolved, without the query. */
    readonly url: string
    /** Null where there was no response: `failure` says why. */
    readonly status: number | null
    readonly failure: string | null
    /** Bytes after decompression. */
    readonly responseSize: number
    readonly milliseconds: number
  }
/** What happened to a websocket (reference/logs, websocket-log). */
export type WebsocketFacts =
  /** `protocol`: the sub-protocol that was agreed on, or empty. */
  | { readonly kind: 'accepted'; readonly protocol: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'error'; readonly message: string }
  | {
      readonly kind: 'operation'
      readonly operationId: string
      readonly type: 'started' | 'completed' | 'stopped' | 'proto_err' | 'query_err'
      readonly detail?: string
      readonly requestId?: string
      readonly operationName?: string | null
      readonly query?: unknown
    }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }

type WebsocketObservation = {
  readonly kind: 'websocket'
  readonly websocketId: string
  readonly event: WebsocketFacts
  /** When its session ends, in milliseconds since the epoch. */
  readonly tokenExpiry: number | null
  readonly userVariables: Readonly<Record<string, string>> | null
}

type SubscriptionObservation =
  | { readonly kind: 'subscription-begun'; readonly of: 'live' | 'stream' }
  | { readonly kind: 'subscription-ended'; readonly of: 'live' | 'stream' }
  /** One statement that asked for cohorts of subscribers; `sent`: messages that it led to. */
  | {
      readonly kind: 'subscriptions-polled'
      readonly of: 'live' | 'stream'
      readonly source: string
      readonly cohorts: number
      readonly sent: number
      readonly milliseconds: number
      readonly error: string | null
    }

type ActionObservation =
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
