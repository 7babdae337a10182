import { ApiError, Path } from '../errors.ts'
import { answerAllowance, parseGraphqlRequest, sourceConnection } from '../execute/index.ts'
import type { Services } from '../http/index.ts'
import { Stretches } from '../long-work.ts'
import type { Model } from '../model/index.ts'
import { describePreview } from '../preview/index.ts'
import { adminRole } from '../session.ts'
import { permissionsUsed, readTrial, runTrial } from '../trials/index.ts'
import { graphqlSettings } from './graphql-settings.ts'
import type { ServerParts } from './server-parts.ts'

type TrialParts = Pick<ServerParts, 'config' | 'metadata'> & Pick<Services, 'admin' | 'graphql'>

/**
 * Returns `admin` with the requests of a sandbox, three more on /v1/metadata: `run_trial`, and `mark_preview` and
 * `preview_since_mark`, which say what changed in the API between the two, migrations included (docs/check.md).
 */
export function withTrialRequests({ config, metadata, admin, graphql }: TrialParts): Services['admin'] {
  if (config.sandbox === null) return admin
  const settings = graphqlSettings(config)
  let marked: Model | null = null
  const trial = (args: unknown, requestId: string, signal: AbortSignal) => {
    const { model } = metadata.current()
    return runTrial(readTrial(args), {
      prefix: config.headerPrefix,
      connection: (source) => {
        if (!model.input.sources.has(source))
          throw new ApiError('not-exists', Path.root, `source with name "${source}" does not exist`)
        return sourceConnection(model, source)
      },
      answer: async (operation, as) => {
        const answerSize = answerAllowance(config.maxResponseSize)
        return (await graphql(operation, { session: as, requestId, signal, answerSize, api: 'graphql' })).body
      },
      uses: (operation, as) => permissionsUsed(model, parseGraphqlRequest(operation), as, settings),
    })
  }
  const answer = async (type: unknown, args: unknown, requestId: string, signal: AbortSignal): Promise<unknown> => {
    const { model } = metadata.current()
    switch (type) {
      case 'run_trial':
        return trial(args, requestId, signal)
      case 'mark_preview':
        marked = model
        return { message: 'success' }
      case 'preview_since_mark':
        if (!marked) throw new ApiError('bad-request', Path.root, 'no state was marked before')
        return new Stretches().run(describePreview(marked, model))
      default:
        return null
    }
  }
  return async (endpoint, body, session, facts) => {
    const isOwn = endpoint === '/v1/metadata' && isObject(body) && session.role === adminRole
    const signal = facts.gone ?? new AbortController().signal
    const answered = isOwn ? await answer(body.type, body.args, facts.requestId, signal) : null
    if (answered === null) return admin(endpoint, body, session, facts)
    return { status: 200, body: answered, headers: metadata.headers(), modified: false }
  }
}

const isObject = (value: unknown): value is { readonly type?: unknown; readonly args?: unknown } =>
  typeof value === 'object' && value !== null
