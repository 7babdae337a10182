import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObserver, errorReport, type LogSettings, logListener, redactUrl } from './index.ts'

const settings: LogSettings = {
  level: 'info',
  enabledTypes: new Set(['startup', 'http-log']),
  metadataQueries: false,
  queryOnlyOnError: false,
  maskedVariables: new Set<string>(),
}

function logged(overrides: Partial<LogSettings> = {}) {
  const lines: Record<string, unknown>[] = []
  const observer = createObserver(logListener({ ...settings, ...overrides }, (line) => lines.push(JSON.parse(line))))
  return { observer, lines }
}

test('a line holds timestamp, level, type and detail, in this order', () => {
  const { observer, lines } = logged()
  observer.report({ kind: 'server-started', url: 'http://127.0.0.1:8080', milliseconds: 1500 })
  const [line] = lines
  assert.deepEqual(Object.keys(line ?? {}), ['timestamp', 'level', 'type', 'detail'])
  assert.match(String(line?.timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  assert.deepEqual(line?.detail, {
    kind: 'server',
    info: { message: 'Starting API server', url: 'http://127.0.0.1:8080', time_taken: 1.5 },
  })
})

test('a configurable type that is not enabled is not printed, an internal one always', () => {
  const { observer, lines } = logged({ enabledTypes: new Set() })
  observer.report({ kind: 'server-started', url: 'u', milliseconds: 1 })
  observer.report({ kind: 'metadata-inconsistent', objects: [] })
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['metadata'],
  )
})

test('level debug prints each observation as it is', () => {
  const { observer, lines } = logged({ level: 'debug' })
  observer.report({ kind: 'bulk-started', requestId: 'r', members: 2, atomic: false })
  assert.deepEqual(lines.at(-1)?.detail, { kind: 'bulk-started', requestId: 'r', members: 2, atomic: false })
})

test('level error keeps warnings back', () => {
  const { observer, lines } = logged({ level: 'error' })
  observer.report({ kind: 'admin-secret-missing', host: '127.0.0.1' })
  assert.deepEqual(lines, [])
})

test('passwords in URLs are shown neither in URLs nor in errors', () => {
  assert.equal(redactUrl('postgres://u:geheim@db:5432/x?password=geheim'), 'postgres://u:***@db:5432/x')
  assert.equal(redactUrl('host=/run password=geheim'), '(a connection string)')
  assert.ok(!JSON.stringify(errorReport(new Error('no postgres://u:geheim@db/x'))).includes('geheim'))
})

test('a listener that throws does not prevent other listeners from receiving', async () => {
  const { observer } = logged()
  observer.subscribe(() => {
    throw new Error('broken')
  })
  const received = observer.next('server-stopped')
  observer.report({ kind: 'server-stopped', milliseconds: 3 })
  assert.equal((await received).milliseconds, 3)
})

test('a request that JSON cannot hold is logged all the same', () => {
  const { observer, lines } = logged({ enabledTypes: new Set(['query-log']) })
  const planned = { kind: 'query-planned', requestId: 'r', role: 'admin', of: 'introspection', sql: null } as const
  observer.report({ ...planned, query: { variables: { id: 9223372036854775807n } } })
  const deep: { inside: unknown } = { inside: null }
  for (let i = 0, at = deep; i < 100_000; i++) at = at.inside = { inside: null }
  observer.report({ ...planned, query: deep })
  const [big, bottomless] = lines.map(({ detail }) => detail as { query: unknown })
  assert.deepEqual(big?.query, { variables: { id: '9223372036854775807' } })
  assert.equal(bottomless, 'cannot be printed')
})

test('clean-ups of event logs, and cron triggers that cannot be planned, have their fields', () => {
  const { observer, lines } = logged()
  const counts = { events: 3, invocations: 4 }
  observer.report({ kind: 'event-logs-cleaned', source: 'default', trigger: 'noted', ...counts })
  observer.report({ kind: 'cron-planning-failed', error: errorReport(new Error('away')) })
  assert.deepEqual(
    lines.map(({ level, type, detail }) => ({ level, type, detail })),
    [
      {
        level: 'info',
        type: 'event-trigger-process',
        detail: {
          message: 'Event logs cleaned',
          source: 'default',
          trigger_name: 'noted',
          deleted_event_logs: 3,
          deleted_event_invocation_logs: 4,
        },
      },
      {
        level: 'error',
        type: 'cron-event-generator-process',
        detail: { message: 'Events of cron triggers cannot be planned', error: { message: 'away', code: null } },
      },
    ],
  )
})
