import { checkDepth, depthLimit } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { type HttpFailure, shownUrl } from '../http-client/index.ts'
import type { RemoteEndpoint } from './remote-endpoint.ts'

/**
 * A body as JSON whose numbers keep their digits. Throws remote-schema-error
 * (reference/remote-schemas#requests-to-remotes), also for what is too deep.
 */
export function readJsonAnswer(body: Buffer): unknown {
  let json: unknown
  try {
    json = parseExactly(body.toString('utf8'))
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : ''
    throw new ApiError('remote-schema-error', Path.root, 'the remote schema did not answer with JSON', {
      internal: text.slice(0, 200),
      cause,
    })
  }
  refuseDeep(json)
  return json
}

/** What is as deep as that cannot be walked. Throws remote-schema-error. */
export function refuseDeep(json: unknown): void {
  if (checkDepth(json, depthLimit))
    throw new ApiError('remote-schema-error', Path.root, `the remote schema's answer is too deep: at most ${depthLimit} levels are read`) // biome-ignore format: one line
}

/**
 * A request that got no answer (reference/remote-schemas#requests-to-remotes, step 4). The URL is shown as metadata
 * names it.
 */
export function transportError(endpoint: RemoteEndpoint, failure: HttpFailure): ApiError {
  const { url, shownUrl: configured, timeout } = endpoint
  // what metadata says is the URL itself, or refers to the environment
  const shown = shownUrl(url, url === configured ? url : `{{${configured}}}`)
  return new ApiError(
    'remote-schema-error',
    Path.root,
    `HTTP exception occurred while sending the request to "${configured}"`,
    {
      internal: {
        type: 'http_exception',
        message:
          failure.failure === 'timeout'
            ? 'Response timeout'
            : failure.failure === 'connection'
              ? 'Connection failure'
              : failure.message,
        request: { ...shown, method: 'POST', responseTimeout: `ResponseTimeoutMicro ${timeout * 1000}` },
      },
    },
  )
}
