/**
 * The engine put together: from a configuration to a server that answers, and back (reference/server#start,
 * reference/server#stop).
 */
import { readAuthMode, startAuthentication } from '../auth/index.ts'
import { allBackends, type Backend } from '../backends/index.ts'
import { type ServerConfig, servedVersion } from '../config/index.ts'
import { createGraphqlCaches } from '../execute/index.ts'
import { listen } from '../http/index.ts'
import type { TlsAllowedHost } from '../http-client/index.ts'
import { openCatalogue } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import { Traces } from '../tracing/index.ts'
import { withTrials } from '../trials/index.ts'
import { UsageCounter } from '../usage/index.ts'
import { WebsocketServer } from '../websocket/index.ts'
import { within } from '../within.ts'
import type { Peers } from '../workers/index.ts'
import { adminServices } from './admin-services.ts'
import { withAfterChanges } from './after-changes.ts'
import { auditRequests } from './audit-requests.ts'
import { chooseDatabase } from './choose-database.ts'
import { followEventingIdentity } from './eventing-identity.ts'
import { explainFailure } from './explain-failure.ts'
import { graphqlServices } from './graphql-services.ts'
import { healthServices } from './health-services.ts'
import { createHttpClients } from './http-clients.ts'
import { figuresOfAll, healthOfAll, subscriptionsOfAll } from './of-all-workers.ts'
import { reportConfiguration } from './report-configuration.ts'
import type { ServerParts } from './server-parts.ts'
import { startActions } from './start-actions.ts'
import { startEventing } from './start-eventing.ts'
import { allowedHosts, startMetadata } from './start-metadata.ts'
import { startObservability } from './start-observability.ts'
import { startSourceHealth } from './start-source-health.ts'
import { startSubscriptions } from './start-subscriptions.ts'
import { withTrialRequests } from './trial-services.ts'
import { websocketServices } from './websocket-services.ts'

export interface RunningServer {
  /** One that clients on this machine can use. */
  readonly url: string
  /** Settles when the server cannot go on, with the reason: its embedded database ended. */
  readonly failed: Promise<string>
  /** Answers requests in flight, then ends everything (reference/server#stop). A second call waits for the first. */
  close(signal?: NodeJS.Signals): Promise<void>
}

/** Whatever was started and has to be ended, last one first. */
type Cleanup = () => Promise<unknown>

/**
 * Starts everything. Throws FatalError with one line that says what is wrong; nothing is left running then.
 */
export async function startServer(
  config: ServerConfig,
  observer: Observer,
  /** The first one's first kind is what operations without a prefix are for. */
  backends: readonly Backend[] = allBackends,
  /** The other workers, where this is one of them. */
  peers: Peers | null = null,
): Promise<RunningServer> {
  const cleanups: Cleanup[] = []
  try {
    return await startAll(config, observer, backends, peers, cleanups)
  } catch (error) {
    await end(cleanups)
    throw explainFailure(error, config)
  }
}

async function end(cleanups: Cleanup[]): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup().catch(() => {})
}

/**
 * A statement that still runs when its request was cut off must not keep the process alive: the database ends it by
 * itself.
 */
const connectionsEndMilliseconds = 3000

async function startAll(
  config: ServerConfig,
  observer: Observer,
  backends: readonly Backend[],
  peers: Peers | null,
  cleanups: Cleanup[],
): Promise<RunningServer> {
  const started = performance.now()
  const authMode = readAuthMode(config)
  if (!peers) reportConfiguration(config, observer)
  const processes = peers?.count ?? 1

  const { embedded, metadataUrl, environment, initial } = await chooseDatabase(config, observer)
  if (embedded) cleanups.push(() => embedded.stop())
  const store = await openCatalogue({
    url: metadataUrl,
    usePreparedStatements: config.usePreparedStatements,
    initial,
    retries: config.retries,
    changeLogSize: config.changeLogSize,
    auditLogSize: config.auditLogSize,
    usage: { days: config.usageDays, operations: config.usageOperations },
    migrates: !config.enableMaintenanceMode,
    pollInterval: config.schemaSyncPollInterval,
    observer,
  })
  cleanups.push(() => within(connectionsEndMilliseconds, store.close(), undefined))

  const counts = config.usageDays > 0 && config.sandbox === null && !config.enableMaintenanceMode
  const usage = counts ? new UsageCounter({ log: store.usageLog, observer, operations: config.usageOperations }) : null
  cleanups.push(() => within(connectionsEndMilliseconds, usage?.close() ?? Promise.resolve(), undefined))

  const traces = new Traces()
  let tlsAllowlist: () => readonly TlsAllowedHost[] = () => []
  const clients = createHttpClients(config, observer, traces, () => tlsAllowlist())
  cleanups.push(async () => clients.close())
  const client = clients.ofMetadata

  const served = config.sandbox === null ? backends : backends.map(withTrials)
  const starting = { config, environment, store, client, observer, processes }
  const metadata = await startMetadata({ ...starting, backends: served, usage })
  cleanups.push(() => within(connectionsEndMilliseconds, metadata.close(), undefined))
  tlsAllowlist = () => allowedHosts(metadata.current().document, config)

  const identity = await followEventingIdentity(config.eventingIdentity, store.eventingIdentity, observer)
  cleanups.push(async () => identity.close())
  const sending = { ...starting, metadata, sends: identity.sends }
  const eventing = startEventing(sending)
  cleanups.push(() => eventing.close())
  const actions = startActions(sending)
  cleanups.push(() => actions.close())
  const authentication = await startAuthentication(authMode, {
    http: clients.ofConfiguration,
    report: observer.report,
    prefix: config.headerPrefix,
    access: { tokens: store.accessTokens, trusts: store.oidcTrusts, http: clients.ofIssuers },
  })
  cleanups.push(async () => authentication.close())
  const { authenticate } = authentication

  const sourceHealth = startSourceHealth(metadata, observer, peers)
  cleanups.push(async () => sourceHealth.close())
  const { health: checks } = sourceHealth
  const caches = createGraphqlCaches()
  const observability = await startObservability({
    config,
    environment,
    observer,
    traces,
    metadata,
    caches,
    sourceHealth: checks,
    eventing,
    identity,
  })
  cleanups.push(() => observability.close())

  const remotes = {
    client,
    environment,
    prioritizeData: config.remoteSchemaPrioritizeData,
    checksAnswers: config.remoteSchemaCheckAnswers,
    skipsNulls: config.remoteSchemaSkipNulls,
  }
  const parts: ServerParts = {
    config,
    environment,
    store,
    metadata,
    caches,
    tallyOf: usage?.tallyOf,
    actions: actions.services,
    remotes,
    observer,
    peers,
  }
  const subscriptions = startSubscriptions(parts)
  cleanups.push(async () => subscriptions.close())
  const answering = { ...graphqlServices(parts), ...adminServices(parts) }
  const services = {
    ...answering,
    admin: withTrialRequests({ ...parts, ...answering }),
    ...healthServices(parts, identity.withheld),
    audit: auditRequests(store, observer),
    sourceHealth: healthOfAll(checks, peers),
    subscriptions: subscriptionsOfAll(subscriptions, peers),
  }
  const websockets = new WebsocketServer({
    config,
    services: websocketServices(config, services, subscriptions, authenticate, observer),
    observer,
    processes,
  })
  const http = await listen({
    config,
    version: servedVersion,
    services: { ...services, admin: withAfterChanges(services.admin, { config, metadata, websockets, peers }) },
    authMode,
    authenticate,
    metrics: figuresOfAll(observability.metrics, peers),
    observer,
  })
  http.onUpgrade(websockets.upgrade)
  const { url } = http
  const milliseconds = performance.now() - started
  observer.report(
    peers
      ? { kind: 'worker-started', worker: peers.worker, pid: process.pid, url, milliseconds }
      : { kind: 'server-started', url, milliseconds },
  )
  const close = async (signal: NodeJS.Signals | null) => {
    const began = performance.now()
    const { requestsInFlight } = http
    observer.report(
      peers
        ? { kind: 'worker-stopping', worker: peers.worker, requestsInFlight }
        : { kind: 'server-stopping', signal, requestsInFlight },
    )
    if (config.shutdownDelay > 0) await http.announceStop(config.shutdownDelay * 1000)
    const milliseconds = config.gracefulShutdownTimeout * 1000
    await Promise.all([http.drain(milliseconds), websockets.stop(milliseconds)])
    await end(cleanups)
    if (!peers) observer.report({ kind: 'server-stopped', milliseconds: performance.now() - began })
  }
  let closed: Promise<void> | undefined
  return {
    url,
    failed: embedded ? embedded.ended : new Promise(() => {}),
    close: (signal) => {
      closed ??= close(signal ?? null)
      return closed
    },
  }
}
