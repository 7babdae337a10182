import { ApiError, Path } from '../errors.ts'
import { answerAllowance, parseGraphqlRequest, sourceConnection } from '../execute/index.ts'
import type { Services } from '../http/index.ts'
import { adminRole } from '../session.ts'
import { permissionsUsed, readTrial, runTrial } from '../trials/index.ts'
import { graphqlSettings } from './graphql-settings.ts'
import type { ServerParts } from './server-parts.ts'

type TrialParts = Pick<ServerParts, 'config' | 'metadata'> & Pick<Services, 'admin' | 'graphql'>

/** What answers the admin in a sandbox: `run_trial` too, on /v1/metadata. */
export function withTrialRequests({ config, metadata, admin, graphql }: TrialParts): Services['admin'] {
  if (config.sandbox === null) return admin
  const settings = graphqlSettings(config)
  return async (endpoint, body, session, facts) => {
    const isTrial = endpoint === '/v1/metadata' && isObject(body) && body.type === 'run_trial'
    if (!isTrial || session.role !== adminRole) return admin(endpoint, body, session, facts)
    const { model } = metadata.current()
    const signal = facts.gone ?? new AbortController().signal
    const answered = await runTrial(readTrial(body.args), {
      prefix: config.headerPrefix,
      connection: (source) => {
        if (!model.input.sources.has(source))
          throw new ApiError('not-exists', Path.root, `source with name "${source}" does not exist`)
        return sourceConnection(model, source)
      },
      answer: async (operation, as) => {
        const size = answerAllowance(config.maxResponseSize)
        return (await graphql(operation, as, facts.requestId, signal, size, 'graphql')).body
      },
      uses: (operation, as) => permissionsUsed(model, parseGraphqlRequest(operation), as, settings),
    })
    return { status: 200, body: answered, headers: metadata.headers(), modified: false }
  }
}

const isObject = (value: unknown): value is { readonly type?: unknown; readonly args?: unknown } =>
  typeof value === 'object' && value !== null
