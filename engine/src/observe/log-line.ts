/** One JSON object per line of standard output (reference/logs). */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Those `--enabled-log-types` can switch. */
export const configurableLogTypes = [
  'startup',
  'http-log',
  'query-log',
  'execution-log',
  'webhook-log',
  'websocket-log',
  'jwk-refresh-log',
  'livequery-poller-log',
  'action-handler-log',
  'data-connector-log',
  'validate-input-log',
  'health-check-log',
] as const
type ConfigurableLogType = (typeof configurableLogTypes)[number]
type InternalLogType =
  | 'metadata'
  | 'schema-sync'
  | 'pg-client'
  | 'event-trigger'
  | 'event-trigger-process'
  | 'scheduled-trigger'
  | 'scheduled-trigger-process'
  | 'cron-event-generator-process'
  | 'ws-server'
  | 'unhandled-internal-error'
  | 'unstructured'
  | 'asynchronous-action'
  | 'observation'
export type LogType = ConfigurableLogType | InternalLogType

export interface LogSettings {
  readonly level: LogLevel
  readonly enabledTypes: ReadonlySet<string>
  /** Bodies of metadata requests in http-log's `query` while query-log is on. */
  readonly metadataQueries: boolean
  /** Bodies of failed requests only. */
  readonly queryOnlyOnError: boolean
  /** Of requests that neither fail nor take `slow` milliseconds one in so many is logged; 0: none. All without it. */
  readonly httpLog?: { readonly oneIn: number; readonly slow: number | null }
  /** Variables whose values no line shows, in lower case. */
  readonly maskedVariables: ReadonlySet<string>
  /** The trace of the request that the running code answers. */
  readonly trace?: () => { readonly traceId: string; readonly spanId: string } | null
  /** Failed deliveries of events with level error. */
  readonly failedEventsAsErrors?: boolean
}

/** Critical is no level to choose: it is always printed. */
export type WriteLine = (level: LogLevel | 'critical', type: LogType, detail: unknown) => void

/** A writer that prints what level and type let through. */
export function lineWriter(settings: LogSettings, print: (line: string) => void): WriteLine {
  const lowest = logLevels.indexOf(settings.level)
  return (level, type, detail) => {
    if (level !== 'critical' && logLevels.indexOf(level) < lowest) return
    if (isConfigurable(type) && !settings.enabledTypes.has(type)) return
    const trace = settings.trace?.()
    const time = timestamp(Date.now())
    const line = trace
      ? { timestamp: time, level, type, detail, trace_id: trace.traceId, span_id: trace.spanId }
      : { timestamp: time, level, type, detail }
    print(`${stringify(line)}\n`)
  }
}

const isConfigurable = (type: LogType) => (configurableLogTypes as readonly string[]).includes(type)

let stamped = { milliseconds: Number.NaN, text: '' }

/** `2024-05-01T10:00:00.123+0000`. Many lines are of one millisecond, and making it costs half of what a line does. */
function timestamp(milliseconds: number): string {
  if (milliseconds !== stamped.milliseconds)
    stamped = { milliseconds, text: new Date(milliseconds).toISOString().replace('Z', '+0000') }
  return stamped.text
}

/** Requests hold what JSON cannot: numbers with all their digits, and nesting without end. */
function stringify(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line)
  } catch {
    return stringifyOdd(line)
  }
}

function stringifyOdd(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  } catch {
    return JSON.stringify({ ...line, detail: 'cannot be printed' })
  }
}
