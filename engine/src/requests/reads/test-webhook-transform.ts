import { type Json, type TestWebhookTransformArgs, testWebhookTransformArgs } from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { expandEnvironment, type HttpHeader } from '../../http-client/index.ts'
import { Stretches } from '../../long-work.ts'
import { checkTransforms, transformFailed } from '../../metadata/index.ts'
import type { TemplateValue } from '../../templates/index.ts'
import {
  applyRequestTransform,
  compileRequestTransform,
  type RequestBody,
  requestContext,
} from '../../transforms/index.ts'
import { defineRead } from '../read-operation.ts'

/**
 * test_webhook_transform (reference/transforms#trying-a-transform): the request that a webhook would get. References to
 * environment variables see `args.env` only, never the engine's own variables. Throws validation-failed, not-found and
 * parse-failed.
 */
export const testWebhookTransform = defineRead({
  type: 'test_webhook_transform',
  scope: null,
  effects: 'none',
  takesAnyText: true,
  args: testWebhookTransformArgs,
  answer: (args, { path }) => transformed(args, path),
})

async function transformed(args: TestWebhookTransformArgs, path: Path): Promise<Json> {
  checkTransforms(args, path)
  const compiled = compileRequestTransform(args.request_transform)
  if (compiled.kind === 'errors') throw transformFailed('request', compiled.errors, path)
  const url = webhookUrl(args, path)
  if (!URL.canParse(url))
    throw transformFailed(
      'request',
      [{ error_code: 'Request Initialization Error', message: `Invalid URL: ${url}` }],
      path,
    )
  const headers = args.request_headers.map(
    ([name = '', value = '']): HttpHeader => [name, resolved(value, args.env, path)],
  )
  const session = args.session_variables
    ? new Map(Object.entries(args.session_variables).map(([name, value]) => [name.toLowerCase(), value]))
    : null
  const context = requestContext(args.body as TemplateValue, session, url)
  const work = applyRequestTransform(compiled.transform, { method: 'GET', headers }, context)
  const outcome = await new Stretches().run(work)
  if (outcome.kind === 'errors') throw transformFailed('request', outcome.errors, path)
  const request = outcome.value
  return {
    webhook_url: request.url,
    method: request.method,
    headers: request.headers.map(([name, value]) => [name.toLowerCase(), value]),
    body: shownBody(request.body),
  }
}

function webhookUrl({ webhook_url: given, env }: TestWebhookTransformArgs, path: Path): string {
  if (typeof given === 'string') {
    if (given === '') throw path.error('parse-failed', 'Invalid Url Template', 'webhook_url')
    return resolved(given, env, path)
  }
  const value = Object.hasOwn(env, given.from_env) ? env[given.from_env] : undefined
  if (value === undefined) throw path.error('not-found', `Missing Env Var: ${given.from_env}`, 'webhook_url')
  return value
}

function resolved(template: string, env: Readonly<Record<string, string>>, path: Path): string {
  const result = expandEnvironment(template, env)
  if (result.kind === 'value') return result.value
  throw new ApiError(
    'not-found',
    path,
    `Missing Env Var: ${result.variables.join(', ')}. For security reasons variables of the server are not used here: give them in env`,
  )
}

function shownBody(body: RequestBody): Json {
  switch (body.kind) {
    case 'json':
      return body.value as Json
    case 'form':
      return body.text
    case 'none':
      return ''
  }
}
