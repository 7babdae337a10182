import type { ServerConfig } from '../config/index.ts'
import { validateInput } from '../execute/index.ts'
import type { Services } from '../http/index.ts'
import { dumpSource } from '../pg-dump/index.ts'
import type { WebsocketServer } from '../websocket/index.ts'
import { clientHeaders } from './client-headers.ts'
import type { ServerParts } from './server-parts.ts'

/** What changes metadata, writes rows without GraphQL, and dumps databases. */
export const adminServices = ({
  config,
  environment,
  metadata,
  actions,
}: ServerParts): Pick<Services, 'admin' | 'adminHeaders' | 'dump'> => ({
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
  adminHeaders: () => metadata.headers(),
  dump: (source, options, signal) =>
    dumpSource(source, metadata.current().model.input.sources.get(source), environment, options, {
      most: config.maxResponseSize,
      signal,
    }),
})

/** Whatever changes metadata over /v1/metadata has clients of websockets come again (spec 04 §5.5). */
export function restartingWebsockets(
  admin: Services['admin'],
  websockets: WebsocketServer,
  config: ServerConfig,
): Services['admin'] {
  if (!config.closeWebsocketsOnMetadataChange) return admin
  return async (endpoint, ...asked) => {
    const answer = await admin(endpoint, ...asked)
    if (endpoint === '/v1/metadata' && answer.modified) websockets.restart()
    return answer
  }
}
