import type prometheus from 'prom-client'
import type { Listener, Observation, RequestAnswered } from '../observe/index.ts'

type Library = typeof prometheus

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A client may say any role and any path, a handler any code: labels have an end. */
const mostRoles = 100
const mostOutcomes = 100
const mostOperations = 200
const mostTriggers = 1000
const routes = new Set([
  '/v1/graphql',
  '/v1alpha1/graphql',
  '/v1beta1/relay',
  '/v1/metadata',
  '/v1/query',
  '/v2/query',
  '/v1/graphql/explain',
  '/v1alpha1/config',
  '/v1alpha1/pg_dump',
  '/healthz',
  '/healthz/sources',
  '/v1/version',
  '/v1/metrics',
])

/** A listener that counts; kinds that it does not name are no figures. */
export function countObservations(library: Library, registry: prometheus.Registry): (observation: Observation) => void {
  const registers = [registry]
  const counter = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
    new library.Counter({ name, help, labelNames, registers })
  const histogram = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
    new library.Histogram({ name, help, labelNames, buckets, registers })

  const requests = counter(
    'svc_http_requests_total',
    'Requests by path, role, status and outcome.',
    'path',
    'role',
    'status',
    'outcome',
  )
  const durations = histogram('svc_http_request_duration_seconds', 'Time from a request to its answer.', 'path')
  const responseBytes = counter('svc_http_response_bytes_total', 'Bytes of answers sent.', 'path')
  const operations = counter('svc_graphql_operations_total', 'Operations of GraphQL by outcome.', 'api', 'outcome')
  const operationDurations = histogram('svc_graphql_operation_duration_seconds', 'Time of an operation.', 'api')
  const plans = counter('svc_plan_cache_lookups_total', 'Operations whose plan was in the cache, or not.', 'found')
  const calls = counter('svc_outgoing_requests_total', 'Requests of the engine itself.', 'purpose', 'outcome')
  const callDurations = histogram('svc_outgoing_request_duration_seconds', 'Their time.', 'purpose')
  const commits = counter('svc_metadata_commits_total', 'Changes of metadata committed by this instance.')
  const synchronised = counter(
    'svc_metadata_synchronisations_total',
    'Changes of other instances taken over.',
    'outcome',
  )
  const movedReads = counter(
    'svc_replica_reads_moved_total',
    'Reads that failed on a read replica and were sent elsewhere.',
    'source',
    'replica',
    'reason',
  )
  const jobs = counter('svc_bigquery_jobs_total', 'Queries of sources on BigQuery.', 'source', 'operation', 'outcome')
  const billedBytes = counter('svc_bigquery_billed_bytes_total', 'Bytes they are billed for.', 'source', 'operation')
  const crashes = counter('svc_unexpected_errors_total', 'Errors that no rule prescribes.')
  const refused = counter('svc_connections_refused_total', 'Connections that were no HTTP or too slow.')
  const websockets = new library.Gauge({ name: 'svc_websocket_connections', help: 'Open websockets.', registers })
  const websocketOperations = counter('svc_websocket_operations_total', 'Operations over websockets.', 'event')

  const subscriptions = new library.Gauge({
    name: 'svc_subscriptions',
    help: 'Active subscriptions, live and stream.',
    labelNames: ['of'],
    registers,
  })
  const polls = histogram('svc_subscription_poll_duration_seconds', 'Time of a statement that polls.', 'of')
  const pollErrors = counter('svc_subscription_poll_errors_total', 'Statements that poll and failed.', 'of')
  const messages = counter('svc_subscription_messages_total', 'Answers sent to subscribers.', 'of')

  const deliveries = counter(
    'svc_event_deliveries_total',
    'Attempts to deliver events by trigger and outcome.',
    'of',
    'source',
    'trigger',
    'outcome',
  )

  const roles = new Set<string>()
  const roleOf = ({ role: given }: RequestAnswered): string => {
    const role = given ?? ''
    if (roles.size < mostRoles) roles.add(role)
    return roles.has(role) ? role : '(other)'
  }

  const outcomes = new Set<string>()
  const outcomeOf = ({ error }: RequestAnswered): string => {
    if (error === null) return 'success'
    const code = String(error.code ?? 'error')
    if (outcomes.size < mostOutcomes) outcomes.add(code)
    return outcomes.has(code) ? code : '(other)'
  }

  const namedOperations = new Set<string>()
  const operationOf = (name: string | null): string => {
    const operation = name ?? ''
    if (namedOperations.size < mostOperations) namedOperations.add(operation)
    return namedOperations.has(operation) ? operation : '(other)'
  }

  const triggers = new Set<string>()
  const triggerOf = (name: string | null): string => {
    const trigger = name ?? ''
    if (triggers.size < mostTriggers) triggers.add(trigger)
    return triggers.has(trigger) ? trigger : '(other)'
  }

  const listener: Partial<Listener> = {
    'event-attempted': ({ of, source, trigger, outcome }) =>
      deliveries.inc({ of, source: source ?? '', trigger: triggerOf(trigger), outcome }),
    'request-answered': (o) => {
      const path = pathOf(o.url)
      const outcome = outcomeOf(o)
      requests.inc({ path, role: roleOf(o), status: String(o.status), outcome })
      durations.observe({ path }, o.requestReadTime + o.queryExecutionTime)
      responseBytes.inc({ path }, o.responseSize)
    },
    'operation-executed': (o) => {
      operations.inc({ api: o.api, outcome: o.code ?? 'success' })
      operationDurations.observe({ api: o.api }, o.milliseconds / 1000)
      if (o.planCached !== null) plans.inc({ found: String(o.planCached) })
    },
    websocket: ({ event }) => {
      if (event.kind === 'accepted') websockets.inc()
      if (event.kind === 'closed') websockets.dec()
      if (event.kind === 'operation') websocketOperations.inc({ event: event.type })
    },
    'subscription-begun': ({ of }) => subscriptions.inc({ of }),
    'subscription-ended': ({ of }) => subscriptions.dec({ of }),
    'subscriptions-polled': ({ of, sent, milliseconds, error }) => {
      polls.observe({ of }, milliseconds / 1000)
      messages.inc({ of }, sent)
      if (error !== null) pollErrors.inc({ of })
    },
    'http-request-sent': (o) => {
      calls.inc({ purpose: o.purpose, outcome: o.failure ?? String(o.status) })
      callDurations.observe({ purpose: o.purpose }, o.milliseconds / 1000)
    },
    'replica-read-moved': ({ source, replica, reason }) => movedReads.inc({ source, replica, reason }),
    'job-ended': ({ source, operation: name, bytesBilled, error }) => {
      const operation = operationOf(name)
      jobs.inc({ source, operation, outcome: error === null ? 'success' : 'failure' })
      billedBytes.inc({ source, operation }, bytesBilled)
    },
    'metadata-committed': () => commits.inc(),
    'metadata-synchronised': () => synchronised.inc({ outcome: 'success' }),
    'metadata-synchronisation-failed': () => synchronised.inc({ outcome: 'failure' }),
    'request-crashed': () => crashes.inc(),
    'connection-refused': () => refused.inc(),
  }
  return (observation) => {
    const count = listener[observation.kind] as ((observation: Observation) => void) | undefined
    count?.(observation)
  }
}

function pathOf(path: string): string {
  if (routes.has(path)) return path
  if (path.startsWith('/api/rest/')) return '/api/rest/*'
  return path.startsWith('/console') ? '/console' : '(other)'
}
