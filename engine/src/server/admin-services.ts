import { referenceAnswer } from '../admin/index.ts'
import { validateInput } from '../execute/index.ts'
import type { Services } from '../http/index.ts'
import { dumpSource } from '../pg-dump/index.ts'
import { clientHeaders } from './client-headers.ts'
import type { ServerParts } from './server-parts.ts'

/** Returns the services that change metadata, write rows without GraphQL, and dump databases. */
export const adminServices = ({
  config,
  environment,
  metadata,
  actions,
}: ServerParts): Pick<Services, 'admin' | 'adminHeaders' | 'dump'> => ({
  admin: async (endpoint, body, session, facts) => {
    const answer = await metadata.handle(endpoint, body, session, {
      ...facts,
      validate: (validation, session) =>
        validateInput(validation, {
          session,
          clientHeaders: clientHeaders(facts.headers ?? {}),
          requestId: facts.requestId,
          signal: facts.gone,
          services: actions.handlers,
        }),
    })
    return config.referenceAnswers ? { ...answer, body: referenceAnswer(body, answer.body) } : answer
  },
  adminHeaders: () => metadata.headers(),
  dump: (source, options, signal) =>
    dumpSource(source, metadata.current().model.input.sources.get(source), environment, options, {
      most: config.maxResponseSize,
      signal,
    }),
})
