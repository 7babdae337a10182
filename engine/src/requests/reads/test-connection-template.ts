import {
  findObject,
  type Json,
  type PostgresConfiguration,
  sourceAddress,
  type TestConnectionTemplateArgs,
  testConnectionTemplateArgs,
} from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { resolveRoute } from '../../sources/index.ts'
import { parseTemplate } from '../../templates/index.ts'
import { defineSourceRead, type ReadContext } from '../read-operation.ts'

/**
 * test_connection_template (docs/routing.md#connection-templates): returns which connection a request would be sent
 * over; no database is reached. Throws not-exists, parse-failed for a template that cannot be parsed, and
 * validation-failed where it chooses no connection.
 */
export const testConnectionTemplate = defineSourceRead<TestConnectionTemplateArgs>({
  name: 'test_connection_template',
  scope: null,
  effects: 'none',
  args: () => testConnectionTemplateArgs,
  sources: ({ source_name: name }, path) => [{ name, at: path.at('source_name') }],
  answer: (args, context) => routed(args, context),
})

function routed(args: TestConnectionTemplateArgs, { draft, path }: ReadContext): Json {
  const { source_name: source, request_context: request } = args
  const found = findObject(draft.document, sourceAddress(source))
  if (!found) throw path.error('not-exists', `source with name "${source}" does not exist`, 'source_name')
  const configuration = found.value.configuration as PostgresConfiguration
  const template = args.connection_template ?? configuration.connection_template
  if (!template) throw path.error('not-found', `source "${source}" has no connection template`, 'source_name')
  const parsed = parseTemplate(template.template)
  if (parsed.kind === 'error')
    throw new ApiError('parse-failed', path, `the connection template cannot be parsed: ${parsed.error.message}`, {
      internal: { ...parsed.error },
      at: path.at('connection_template'),
    })
  const { operation_type: type = 'query', operation_name: name } = request.query ?? {}
  const members = (configuration.connection_set ?? []).map((member) => member.name)
  const context = {
    headers: lowered(request.headers),
    session: lowered(request.session),
    query: { operation_type: type, operation_name: name ?? null },
  }
  const route = at(path, () => resolveRoute(parsed.template, context, members))
  return { result: { routing_to: route.to, value: route.to === 'connection_set' ? route.member : null } }
}

const lowered = (map: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value]))

function at<Result>(path: ReadContext['path'], resolve: () => Result): Result {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('validation-failed', path, error.message, { internal: error.internal, cause: error })
  }
}
