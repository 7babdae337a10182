/**
 * The engine put together: from a configuration to a server that answers, and back (spec 04 §12.2, §12.3).
 */
import type { ApiLimits, MetadataDocument } from '@svc/schema'
import { type HandlerServices, startActionPoller } from './actions/index.ts'
import { MetadataService } from './admin/index.ts'
import { type Authenticate, type Headers, readAuthMode, startAuthentication } from './auth/index.ts'
import { type Backend, postgres } from './backends/index.ts'
import { FatalError, type ServerConfig, servedVersion, shownConfig } from './config/index.ts'
import { type EmbeddedDatabase, EmbeddedError, startEmbedded } from './embedded/index.ts'
import { ApiError, errorForRole } from './errors.ts'
import { EventDelivery, eventOperations, eventTriggerEffects } from './events/index.ts'
import {
  type ActionServices,
  answerAllowance,
  createGraphqlCaches,
  executeGraphql,
  explainGraphql,
  type GraphqlCaches,
  isSubscription,
  parseExplainRequest,
  parseGraphqlRequest,
  type RemoteServices,
  validateInput,
} from './execute/index.ts'
import { defaultGraphqlSettings, type GraphqlSettings, roleSchema, storedQueryCheck } from './graphql/index.ts'
import { type HttpServer, listen, type Services } from './http/index.ts'

import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpHeader,
  type TlsAllowedHost,
} from './http-client/index.ts'

import { RequestLimits } from './limits/index.ts'
import {
  CatalogueRefused,
  type InitialSettings,
  initialDocument,
  type MetadataStore,
  openCatalogue,
} from './metadata/index.ts'
import { actionPart, type Model, partValues, type ResolvedAction } from './model/index.ts'
import { errorReport, type Observer, redactUrl } from './observe/index.ts'
import { dumpSource } from './pg-dump/index.ts'
import { openApiDocument } from './rest/index.ts'
import { ScheduleDelivery, scheduleOperations } from './schedules/index.ts'
import { serverSetting } from './server-setting.ts'
import { adminRole } from './session.ts'
import { startObservability } from './start-observability.ts'
import { Subscriptions } from './subscriptions/index.ts'
import { Traces } from './tracing/index.ts'
import { WebsocketServer, type WebsocketServices } from './websocket/index.ts'

export interface RunningServer {
  /** One that clients on this machine can use. */
  readonly url: string
  /** Settles when the server cannot go on, with the reason: its embedded database ended. */
  readonly failed: Promise<string>
  /** Answers what is in flight and ends everything. A second call waits for the first. */
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
  backends: readonly Backend[] = [postgres],
): Promise<RunningServer> {
  const started = performance.now()
  const cleanups: Cleanup[] = []
  const end = async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup().catch(() => {})
  }
  try {
    return await startAll(config, observer, backends, started, cleanups, end)
  } catch (error) {
    await end()
    throw fatal(error, config)
  }
}

async function startAll(
  config: ServerConfig,
  observer: Observer,
  backends: readonly Backend[],
  started: number,
  cleanups: Cleanup[],
  end: () => Promise<void>,
): Promise<RunningServer> {
  const authMode = readAuthMode(config)
  if (config.secrets.length === 0) observer.tell({ kind: 'admin-secret-missing', host: config.listenHost })
  if (config.ignored.length > 0) observer.tell({ kind: 'settings-ignored', flags: config.ignored })
  observer.tell({ kind: 'configured', settings: shownConfig(config) })

  const { embedded, metadataUrl, environment, initial } = await chooseDatabase(config, observer)
  if (embedded) cleanups.push(() => embedded.stop())
  const store = await openCatalogue({
    url: metadataUrl,
    usePreparedStatements: config.usePreparedStatements,
    initial,
    retries: config.retries,
    changeLogSize: config.changeLogSize,
    migrates: !config.enableMaintenanceMode,
    pollInterval: config.schemaSyncPollInterval,
    observer,
  })
  cleanups.push(() => atMost(connectionsEndMilliseconds, store.close()))

  const traces = new Traces()
  let tlsAllowlist: () => readonly TlsAllowedHost[] = () => []
  const httpOptions: HttpClientOptions = {
    allowPrivateAddresses: config.allowPrivateAddresses,
    maxResponseBytes: config.maxWebhookResponseSize,
    tlsAllowlist: () => tlsAllowlist(),
    tell: observer.tell,
    trace: (requestId, cause) => traces.outgoing(requestId, cause),
  }
  const httpClient = createHttpClient(httpOptions)
  cleanups.push(async () => httpClient.close())
  // its URLs come from who starts the engine, not from metadata
  const authClient = createHttpClient({ ...httpOptions, allowPrivateAddresses: true })
  cleanups.push(async () => authClient.close())

  const metadata = await MetadataService.start({
    store,
    observer,
    settings: {
      stringifyNumericTypes: config.stringifyNumericTypes,
      maxQueryJoins: config.maxQueryJoins,
      inferFunctionPermissions: config.inferFunctionPermissions,
      namingConvention: config.experimentalFeatures.has('naming_convention') ? config.defaultNamingConvention : null,
      ignoreNativeQueryVerdicts: config.disableNativeQueryValidation,
      hideAggregationPredicates: config.experimentalFeatures.has('hide_aggregation_predicates'),
      hideStreamFields: config.experimentalFeatures.has('hide_stream_fields'),
      hideUpdateManyFields: config.experimentalFeatures.has('hide_update_many_fields'),
      environment,
      apolloFederation: config.enableApolloFederation || config.experimentalFeatures.has('apollo_federation'),
      remoteSchemaPermissions: config.enableRemoteSchemaPermissions,
      checkStoredQuery: storedQueryCheck(graphqlSettings(config)),
      arraysAreScalars: config.experimentalFeatures.has('disable_postgres_arrays'),
    },
    reads: { inSources: eventOperations, others: scheduleOperations },
    sources: {
      backends,
      environment,
      tell: observer.tell,
      defaults: {
        usePreparedStatements: config.usePreparedStatements,
        maxConnections: config.connections * config.stripes,
        idleTimeout: config.timeout,
        connectionLifetime: config.connLifetime,
        ...(config.poolTimeout !== null && { poolTimeout: config.poolTimeout }),
      },
    },
    remoteSchemas: { client: httpClient, environment, tell: observer.tell },
    effects: [eventTriggerEffects({ stringifyNumericTypes: config.stringifyNumericTypes })],
    showInternal: config.devMode || config.adminInternalErrors,
    frozen: whyFrozen(config),
  })
  cleanups.push(() => atMost(connectionsEndMilliseconds, metadata.close()))

  tlsAllowlist = () => allowedHosts(metadata.current().document, config)
  cleanups.push(startEventing({ config, environment, client: httpClient, observer, metadata, store }))

  const handlers: HandlerServices = {
    http: httpClient,
    environment,
    configuredHeadersFirst: config.configuredHeaderPrecedence,
    tell: observer.tell,
  }
  const poller = startActionPoller({
    log: store.actionLog,
    services: handlers,
    actions: () => asynchronousActions(metadata.current().model),
    interval: config.asyncActionsFetchInterval,
    batchSize: config.asyncActionsFetchBatchSize,
  })
  cleanups.push(() => poller.close(config.gracefulShutdownTimeout * 1000))
  const actions: ActionServices = { handlers, log: store.actionLog, enqueued: () => poller.wake() }

  const authentication = await startAuthentication(authMode, { http: authClient, tell: observer.tell })
  cleanups.push(async () => authentication.close())
  const { authenticate } = authentication

  const remotes: RemoteServices = {
    client: httpClient,
    environment,
    prioritizeData: config.remoteSchemaPrioritizeData,
  }
  const caches = createGraphqlCaches()
  const servesMetrics = config.enabledApis.has('metrics')
  const observability = await startObservability({
    servesMetrics,
    defaults: config.metadataDefaults,
    environment,
    observer,
    traces,
    metadata,
    caches,
  })
  cleanups.push(() => observability.close())
  const subscriptions = subscriptionsOf(config, metadata, caches, actions, observer)
  cleanups.push(async () => subscriptions.close())
  const services = {
    ...servicesOf(config, environment, store, metadata, caches, actions, remotes, observer, traces),
    subscriptions: (extended: boolean) => subscriptions.dump(extended),
  }
  const websockets = new WebsocketServer({
    config,
    services: websocketServices(config, services, subscriptions, authenticate, traces),
    observer,
  })
  const http = await listen({
    config,
    version: servedVersion,
    services: { ...services, admin: restarting(services.admin, websockets, config) },
    authMode,
    authenticate,
    traces,
    metrics: observability.metrics,
    observer,
  })
  http.onUpgrade(websockets.upgrade)
  observer.tell({ kind: 'server-started', url: http.url, milliseconds: performance.now() - started })
  return {
    url: http.url,
    failed: embedded ? embedded.ended : new Promise(() => {}),
    close: closing(http, websockets, config, observer, end),
  }
}

/** A statement that still runs when its request was cut off must not keep the process: the database ends it by itself. */
const connectionsEndMilliseconds = 3000

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}

interface Eventing {
  readonly config: ServerConfig
  readonly environment: ServerConfig['environment']
  readonly client: HttpClient
  readonly observer: Observer
  readonly metadata: MetadataService
  readonly store: MetadataStore
}

/** Delivers events as metadata is served, until the cleanup that it gives. */
function startEventing({ config, environment, client, observer, metadata, store }: Eventing): Cleanup {
  if (config.disableEventing) return async () => {}
  const events = new EventDelivery({
    environment,
    client,
    observer,
    current: () => metadata.current(),
    httpPoolSize: config.eventsHttpPoolSize,
    fetchInterval: config.eventsFetchInterval,
    batchSize: config.eventsFetchBatchSize,
  })
  const schedules = new ScheduleDelivery({
    store: store.schedules,
    environment,
    client,
    observer,
    current: () => metadata.current(),
  })
  const unsubscribe = observer.subscribe(({ kind }) => {
    if (kind !== 'model-updated') return
    events.refresh()
    schedules.refresh()
  })
  events.refresh()
  return async () => {
    unsubscribe()
    const milliseconds = config.gracefulShutdownTimeout * 1000
    await Promise.all([events.close(milliseconds), schedules.close(milliseconds)])
  }
}

function whyFrozen({ enableMaintenanceMode, enableReadOnlyMode }: ServerConfig): string | null {
  if (enableMaintenanceMode) return 'metadata cannot be modified in maintenance mode'
  return enableReadOnlyMode ? 'metadata cannot be modified in read-only mode' : null
}

/** Hosts whose certificates are not verified (spec 01 §2.14). */
function allowedHosts(document: MetadataDocument, { metadataDefaults }: ServerConfig): readonly TlsAllowedHost[] {
  const value = serverSetting('network', document, metadataDefaults)?.tls_allowlist
  return Array.isArray(value) ? (value as unknown as readonly TlsAllowedHost[]) : []
}

interface ChosenDatabase {
  readonly embedded: EmbeddedDatabase | null
  readonly metadataUrl: string
  /** What `from_env` of sources reads. */
  readonly environment: ServerConfig['environment']
  readonly initial: ReturnType<typeof initialDocument>
}

/** The embedded database goes by the variable that names a given one, so that its metadata fits either. */
const databaseVariable = 'SVC_GRAPHQL_DATABASE_URL'

async function chooseDatabase(config: ServerConfig, observer: Observer): Promise<ChosenDatabase> {
  const { database, environment } = config
  if (database.kind === 'given') {
    const source = database.source
    const url = source?.fromEnvironment ? { from_env: databaseVariable } : (source?.url ?? null)
    return {
      embedded: null,
      metadataUrl: database.metadataUrl,
      environment,
      initial: initialDocument(url, initialSettings(config)),
    }
  }
  const embedded = await startEmbedded({
    dataDirectory: database.dataDirectory,
    ...(database.port !== null && { port: database.port }),
    tell: observer.tell,
  })
  void embedded.ended.then((lastLine) => observer.tell({ kind: 'embedded-ended', lastLine }))
  return {
    embedded,
    metadataUrl: embedded.url,
    environment: { ...environment, [databaseVariable]: embedded.url },
    initial: initialDocument({ from_env: databaseVariable }, initialSettings(config)),
  }
}

const initialSettings = (config: ServerConfig): InitialSettings => ({
  isolationLevel: config.txIso,
  maxConnections: config.connections,
  idleTimeout: config.timeout,
  connectionLifetime: config.connLifetime,
})

const graphqlSettings = (config: ServerConfig): GraphqlSettings => ({
  ...defaultGraphqlSettings,
  maxTokens: config.maxQueryTokens,
  maxDepth: config.maxQueryDepth,
  maxSelections: config.maxQuerySelections,
  maxInputNodes: config.maxQueryInputs,
  maxValuesSize: config.maxValuesSize,
  booleanNullCollapse: config.v1BooleanNullCollapse,
  nullInNonNullableVariables: config.nullInNonnullableVariables,
  unboundIsAbsent: config.experimentalFeatures.has('no_null_unbound_variable_default'),
  enableAllowlist: config.enableAllowlist,
})

function servicesOf(
  config: ServerConfig,
  environment: ServerConfig['environment'],
  store: MetadataStore,
  metadata: MetadataService,
  caches: GraphqlCaches,
  actions: ActionServices,
  remotes: RemoteServices,
  observer: Observer,
  traces: Traces,
): Omit<Services, 'subscriptions'> {
  const settings = graphqlSettings(config)
  const limits = new RequestLimits({
    limits: () => serverSetting('api_limits', metadata.current().document, config.metadataDefaults) as ApiLimits | null,
    settings,
  })
  return {
    limits,
    health: async () => ({
      reachable: await soon(store.ping()),
      consistent: metadata.current().model.inconsistencies.isEmpty(),
    }),
    unreachableSources: async () => {
      const states = [...metadata.current().model.input.sources.values()]
      const reachable = await Promise.all(
        states.map((state) => state.status === 'ready' && soon(state.connection.ping().then(() => true))),
      )
      return states.filter((_, index) => !reachable[index]).map(({ name }) => name)
    },
    admin: (endpoint, body, session, facts) =>
      metadata.handle(endpoint, body, session, {
        ...facts,
        validate: (validation, session) =>
          validateInput(validation, {
            session,
            clientHeaders: clientHeaders(facts.headers ?? {}),
            requestId: facts.requestId,
            signal: undefined,
            services: actions.handlers,
          }),
      }),
    dump: (source, options, signal) =>
      dumpSource(source, metadata.current().model.input.sources.get(source), environment, options, {
        most: config.maxResponseSize,
        signal,
      }),
    adminHeaders: () => metadata.headers(),
    graphql: async (operation, session, requestId, signal, answerSize, api, begun, headers = {}) => {
      const { model } = metadata.current()
      const request = given(parseGraphqlRequest(operation))
      limits.checkOperation(session.role, request)
      const execution = {
        model,
        request,
        api,
        session,
        caches,
        settings,
        answerSize,
        requestId,
        trace: () => traces.contextOf(requestId),
        clientHeaders: clientHeaders(headers),
        actions,
        remotes,
        ...(begun && { begun }),
      }
      const told = { kind: 'operation-executed', requestId, role: session.role, api } as const
      const started = performance.now()
      const answer = await limits
        .withinTime(session.role, signal, (signal) => executeGraphql({ ...execution, signal }))
        .catch((error: unknown) => {
          const code = error instanceof ApiError ? error.code : 'unexpected'
          observer.tell({ ...told, planCached: null, milliseconds: performance.now() - started, code })
          throw error
        })
      const milliseconds = performance.now() - started
      observer.tell({ ...told, planCached: answer.planCached, milliseconds, code: null })
      if (config.enabledLogTypes.has('query-log'))
        observer.tell({
          kind: 'query-planned',
          requestId,
          role: session.role,
          query: operation,
          sql: answer.statements(),
        })
      return answer
    },
    restEndpoints: () => metadata.current().model.restEndpoints.served,
    openApi: () => {
      const { model } = metadata.current()
      return openApiDocument(model.restEndpoints.served, roleSchema(model, adminRole), settings)
    },
    explain: async (body) => {
      const request = given(parseExplainRequest(body))
      // only the admin asks, whatever role is explained
      return explainGraphql(metadata.current().model, request, settings).catch((error: unknown) => {
        throw errorForRole(error, adminRole)
      })
    },
  }
}

/** As pairs, each value one line. */
const clientHeaders = (headers: Headers): readonly HttpHeader[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    const values = typeof value === 'string' ? [value] : (value ?? [])
    return values.map((one): HttpHeader => [name, one])
  })

const asynchronousActions = (model: Model): ReadonlyMap<string, ResolvedAction> =>
  new Map(
    [...partValues(model, actionPart).values()].flatMap((action) =>
      action.kind === 'asynchronous' ? [[action.name, action] as const] : [],
    ),
  )

/** Milliseconds: a database that is frozen is not reachable. */
const pingMilliseconds = 3000

/** False where the answer does not come in time. */
async function soon(ping: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), pingMilliseconds)
  })
  const result = await Promise.race([ping.catch(() => false), late])
  clearTimeout(timer)
  return result
}

/** What websockets ask: of queries and mutations the same as HTTP does. */
function websocketServices(
  config: ServerConfig,
  services: Services,
  subscriptions: Subscriptions,
  authenticate: Authenticate,
  traces: Traces,
): WebsocketServices {
  const settings = graphqlSettings(config)
  return {
    authenticate,
    start: async ({ payload, session, address, requestId, headers, signal, api }, events, begun) => {
      services.limits.countRequest(session, address)
      const request = given(parseGraphqlRequest(payload))
      if (isSubscription(request, settings)) {
        services.limits.checkOperation(session.role, request)
        const end = subscriptions.subscribe({ request, session, api }, events)
        begun()
        return { kind: 'subscription', end }
      }
      const answerSize = answerAllowance(config.maxResponseSize)
      traces.begin(requestId, headers)
      try {
        const { body } = await services.graphql(payload, session, requestId, signal, answerSize, api, begun, headers)
        return { kind: 'answer', body }
      } finally {
        traces.end(requestId)
      }
    },
  }
}

function subscriptionsOf(
  config: ServerConfig,
  metadata: MetadataService,
  caches: GraphqlCaches,
  actions: ActionServices,
  observer: Observer,
): Subscriptions {
  const settings = graphqlSettings(config)
  return new Subscriptions({
    current: () => metadata.current().model,
    caches,
    graphql: settings,
    live: {
      interval: config.liveQueriesMultiplexedRefetchInterval,
      batchSize: config.liveQueriesMultiplexedBatchSize,
    },
    streams: {
      interval: config.streamingQueriesMultiplexedRefetchInterval,
      batchSize: config.streamingQueriesMultiplexedBatchSize,
    },
    execute: async ({ request, session, api }, signal) => {
      const { model } = metadata.current()
      const answerSize = answerAllowance(config.maxResponseSize)
      const repeated = { ...request, isRepeated: true }
      return executeGraphql({ model, request: repeated, session, api, caches, settings, answerSize, actions, signal })
    },
    maxAnswerSize: config.maxResponseSize,
    observer,
  })
}

/** Whatever changes metadata over /v1/metadata has clients of websockets come again (spec 04 §5.5). */
function restarting(admin: Services['admin'], websockets: WebsocketServer, config: ServerConfig): Services['admin'] {
  if (!config.closeWebsocketsOnMetadataChange) return admin
  return async (endpoint, ...asked) => {
    const answer = await admin(endpoint, ...asked)
    if (endpoint === '/v1/metadata' && answer.modified) websockets.restart()
    return answer
  }
}

function given<T>(read: T | ApiError): T {
  if (read instanceof ApiError) throw read
  return read
}

function closing(
  http: HttpServer,
  websockets: WebsocketServer,
  config: ServerConfig,
  observer: Observer,
  end: () => Promise<void>,
) {
  let closed: Promise<void> | undefined
  return (signal?: NodeJS.Signals): Promise<void> => {
    closed ??= (async () => {
      const began = performance.now()
      observer.tell({ kind: 'server-stopping', signal: signal ?? null, requestsInFlight: http.requestsInFlight })
      const milliseconds = config.gracefulShutdownTimeout * 1000
      await Promise.all([http.drain(milliseconds), websockets.stop(milliseconds)])
      await end()
      observer.tell({ kind: 'server-stopped', milliseconds: performance.now() - began })
    })()
    return closed
  }
}

/** One line for whoever started the engine. */
function fatal(error: unknown, config: ServerConfig): FatalError {
  if (error instanceof FatalError) return error
  if (error instanceof EmbeddedError || error instanceof CatalogueRefused) return new FatalError(error.message)
  const { message, code } = errorReport(error)
  const options = { cause: error }
  if (code === 'EADDRINUSE')
    return new FatalError(
      `Port ${config.serverPort} is in use. Stop what listens there, or take another port: --server-port (SVC_GRAPHQL_SERVER_PORT)`,
      options,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES')
    return new FatalError(
      `Cannot listen on ${config.listenHost}, port ${config.serverPort} (${code}): take others with --server-host and --server-port`,
      options,
    )
  if (config.database.kind === 'given')
    return new FatalError(
      `Cannot use the metadata database ${redactUrl(config.database.metadataUrl)}: ${message}`,
      options,
    )
  return new FatalError(message, options)
}
