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

export type WebsocketObservation = {
  readonly kind: 'websocket'
  readonly websocketId: string
  readonly event: WebsocketFacts
  /** When its session ends, in milliseconds since the epoch. */
  readonly tokenExpiry: number | null
  readonly userVariables: Readonly<Record<string, string>> | null
}

export type SubscriptionObservation =
  | { readonly kind: 'subscription-begun'; readonly of: 'live' | 'stream' }
  | { readonly kind: 'subscription-ended'; readonly of: 'live' | 'stream' }
  /** One statement that requested cohorts of subscribers; `sent`: messages that it led to. */
  | {
      readonly kind: 'subscriptions-polled'
      readonly of: 'live' | 'stream'
      readonly source: string
      readonly cohorts: number
      readonly sent: number
      readonly milliseconds: number
      readonly error: string | null
    }
