/** One JSON object per line of standard output (reference/logs). */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The log types that `--enabled-log-types` can switch on and off. */
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
  | 'access-token'
  | 'audit'
  | 'usage'
  | 'observation'
type LogType = ConfigurableLogType | InternalLogType

/** `text`: for people at a terminal. */
export const logFormats = ['json', 'text'] as const

export interface LogSettings {
  readonly level: LogLevel
  /** JSON where it is absent. */
  readonly format?: (typeof logFormats)[number]
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

/** Returns a writer that prints lines of the configured levels and types. */
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
    print(settings.format === 'text' ? textLine(time, level, type, detail) : `${stringify(line)}\n`)
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

/**
 * `10:00:00.123 info  startup  server: url=http://127.0.0.1:8080`: the time of day in UTC, then what JSON has as `detail`, names
 * of nested objects left out. What is no plain word is JSON, so that a line remains one line.
 */
function textLine(time: string, level: string, type: string, detail: unknown): string {
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${type}  ${textOf(detail)}\n`
}

function textOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return textOfValue(detail)
  const { kind, ...others } = detail as Readonly<Record<string, unknown>>
  const rest = [...valuesIn(others)].map(([key, value]) => `${key}=${textOfValue(value)}`).join(' ')
  return kind === undefined ? rest : `${String(kind)}: ${rest}`
}

function* valuesIn(object: Readonly<Record<string, unknown>>): Generator<readonly [string, unknown]> {
  for (const [key, value] of Object.entries(object)) {
    if (value === null || value === undefined) continue
    const isRecord = typeof value === 'object' && !Array.isArray(value)
    if (isRecord) yield* valuesIn(value as Readonly<Record<string, unknown>>)
    else yield [key, value]
  }
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=\p{Cc}\u2028\u2029]+$/u.test(value) ? value : JSON.stringify(value)
  return stringify({ value }).slice('{"value":'.length, -1)
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
