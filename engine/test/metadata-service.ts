/** A MetadataService on a database of its own, asked in process. Its source `default` is that database too. */
import type { Answer } from '../../test/admin/ask.ts'
import { runOnDatabase } from '../../test/admin/run-on-database.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { type AdminEndpoint, MetadataService } from '../src/admin/index.ts'
import { allBackends, type Backend } from '../src/backends/index.ts'
import type { SourceEffects } from '../src/changes/index.ts'
import { ApiError, errorBody } from '../src/errors.ts'
import { createHttpClient } from '../src/http-client/index.ts'
import { initialDocument, type MetadataStore, openCatalogue } from '../src/metadata/index.ts'
import type { ModelSettings } from '../src/model/index.ts'
import { createObserver, type Observer } from '../src/observe/index.ts'
import type { Session } from '../src/session.ts'

export interface TestService {
  readonly service: MetadataService
  readonly store: MetadataStore
  readonly observer: Observer
  readonly databaseUrl: string
  ask(endpoint: AdminEndpoint, body: unknown, role?: string): Promise<Answer>
  /** An operation of /v1/metadata. */
  metadata(type: string, args?: unknown, more?: object): Promise<Answer>
  sql(text: string): Promise<void>
  version(): number
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function startService(
  t: WithAfter,
  setUp = '',
  effects: readonly SourceEffects[] = [],
  settings: Partial<ModelSettings> = {},
): Promise<TestService> {
  const { url } = await createTestDatabase(t)
  if (setUp !== '') await runOnDatabase(url, setUp)
  return startServiceOn(t, url, effects, allBackends, settings)
}

/** Another instance on the same catalogue. */
export async function startServiceOn(
  t: WithAfter,
  url: string,
  effects: readonly SourceEffects[] = [],
  backends: readonly Backend[] = allBackends,
  settings: Partial<ModelSettings> = {},
): Promise<TestService> {
  const observer = createObserver()
  const store = await openCatalogue({
    url,
    usePreparedStatements: true,
    initial: initialDocument(url),
    retries: 0,
    changeLogSize: 100_000,
    pollInterval: 1000,
    observer,
  })
  const httpClient = createHttpClient({
    allowPrivateAddresses: true,
    maxResponseBytes: 10_000_000,
    tlsAllowlist: () => [],
    report: observer.report,
  })
  const service = await MetadataService.start({
    store,
    sources: {
      backends,
      defaults: { usePreparedStatements: true },
      environment: process.env,
      report: observer.report,
    },
    remoteSchemas: { client: httpClient, environment: process.env, report: observer.report },
    settings: { stringifyNumericTypes: false, inferFunctionPermissions: true, ...settings },
    observer,
    effects,
    reads: { inSources: [], others: [] },
    showInternal: true,
    protectsOwned: false,
    frozen: null,
  })
  t.after(async () => {
    await service.close()
    await store.close()
    httpClient.close()
  })
  const ask = async (endpoint: AdminEndpoint, body: unknown, role = 'admin'): Promise<Answer> => {
    const session: Session = { role, variables: new Map([['x-svc-role', role]]), backendOnly: false }
    try {
      const facts = { requestId: 'test', actor: null, userAgent: null }
      const answer = await service.handle(endpoint, body, session, facts)
      // what a client reads, not what shares structure with the served state
      return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: JSON.parse(JSON.stringify(errorBody(error, true))) }
    }
  }
  return {
    service,
    store,
    observer,
    databaseUrl: url,
    ask,
    metadata: (type, args = {}, more = {}) => ask('/v1/metadata', { type, args, ...more }),
    sql: async (text) => void (await runOnDatabase(url, text)),
    version: () => service.current().resourceVersion,
  }
}
