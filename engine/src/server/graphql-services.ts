import type { ApiLimits } from '@svc/schema'
import { requireExplainedRole } from '../admin/index.ts'
import { type Headers, headerText } from '../auth/index.ts'
import { ApiError, errorForRole } from '../errors.ts'
import {
  createGraphqlCaches,
  executeGraphql,
  explainGraphql,
  type GraphqlRequest,
  type LogQuery,
  parseExplainRequest,
  parseGraphqlRequest,
  requireOpen,
} from '../execute/index.ts'
import { type GraphqlSettings, operationKind, roleSchema } from '../graphql/index.ts'
import { draftHeader, type Services } from '../http/index.ts'
import { RequestLimits } from '../limits/index.ts'
import { openApiDocument } from '../rest/index.ts'
import { adminRole } from '../session.ts'
import { currentTrace, isRecorded } from '../tracing/index.ts'
import { clientHeaders } from './client-headers.ts'
import { graphqlSettings } from './graphql-settings.ts'
import type { ServerParts } from './server-parts.ts'
import { serverSetting } from './server-setting.ts'

type GraphqlServices = Pick<Services, 'graphql' | 'isMutation' | 'explain' | 'restEndpoints' | 'openApi'> & {
  readonly limits: RequestLimits
}

/** Returns the services that answer GraphQL, over any transport, and REST endpoints. */
export function graphqlServices(parts: ServerParts): GraphqlServices {
  const { config, metadata, caches, actions, remotes, observer, peers, tallyOf } = parts
  const settings = graphqlSettings(config)
  const limits = new RequestLimits({
    limits: () => serverSetting('api_limits', metadata.current().document, config.metadataDefaults) as ApiLimits | null,
    settings,
    ...(peers && { admit: (key, perMinute) => peers.admit(key, perMinute) }),
  })
  // drafts drive nothing out of the caches of what is served
  const draftCaches = createGraphqlCaches(8)
  // an empty key is an unknown one: what is meant for a draft never runs on what is served
  const draftOf = async (headers: Headers) =>
    headers[draftHeader] === undefined ? null : metadata.draft(headerText(headers, draftHeader) ?? '')
  const modelOf = async (headers: Headers) => (await draftOf(headers))?.model ?? metadata.current().model
  return {
    limits,
    graphql: async (operation, { session, requestId, signal, answerSize, api, begun, headers = {} }) => {
      const draft = headers[draftHeader] === undefined ? null : await draftOf(headers)
      const { model } = draft ?? metadata.current()
      const request = parseGraphqlRequest(operation)
      limits.checkOperation(session.role, request)
      const isLogged = config.enabledLogTypes.has('query-log')
      const logQuery: LogQuery = (asked) =>
        observer.report({ kind: 'query-planned', requestId, role: session.role, query: operation, ...asked })
      const execute = (limited: AbortSignal) =>
        executeGraphql({
          model,
          request,
          api,
          session,
          caches: draft ? draftCaches : caches,
          settings,
          answerSize,
          signal: limited,
          gone: signal,
          requestId,
          trace: currentTrace,
          clientHeaders: () => clientHeaders(headers),
          actions,
          remotes,
          begun,
          tallyOf: draft ? undefined : tallyOf,
          draft: draft ?? undefined,
          logQuery: isLogged ? logQuery : undefined,
        })
      const { role } = session
      const started = performance.now()
      let planCached: boolean | null = null
      let code: string | null = null
      let { operationName } = request
      let type: 'query' | 'mutation' | 'subscription' | null = null
      try {
        const answer = await limits.withinTime(role, signal, execute)
        ;({ planCached, type, operationName } = answer)
        return answer
      } catch (error) {
        code = error instanceof ApiError ? error.code : 'unexpected'
        if (isRecorded()) type = typeOf(request, settings)
        throw error
      } finally {
        const milliseconds = performance.now() - started
        const executed = { requestId, role, api, type, operationName, planCached, milliseconds, code }
        observer.report({ kind: 'operation-executed', ...executed })
      }
    },
    isMutation: (operation) => {
      const request = parseGraphqlRequest(operation)
      return request.query.includes('mutation') && operationKind(request, settings) === 'mutation'
    },
    restEndpoints: async (headers) => (await modelOf(headers)).restEndpoints.served,
    openApi: async (headers) => {
      const model = await modelOf(headers)
      return openApiDocument(model.restEndpoints.served, roleSchema(model, adminRole), settings)
    },
    explain: async (body, headers, access) => {
      const asked = parseExplainRequest(body, config.headerPrefix)
      if (access) requireExplainedRole(access, asked.session.role)
      const request = { ...asked, clientHeaders: () => clientHeaders(headers) }
      const draft = await draftOf(headers)
      if (draft) requireOpen(draft)
      // only the admin may explain, whatever role is explained
      return explainGraphql((draft ?? metadata.current()).model, request, settings).catch((error: unknown) => {
        throw errorForRole(error, adminRole)
      })
    },
  }
}

/** Null where the document cannot be read, or has no such operation. */
function typeOf(request: GraphqlRequest, settings: GraphqlSettings): 'query' | 'mutation' | 'subscription' | null {
  try {
    return operationKind(request, settings)
  } catch {
    return null
  }
}
