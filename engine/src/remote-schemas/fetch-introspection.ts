import { isRecord } from '@svc/schema'
import { getIntrospectionQuery } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import type { HttpClient } from '../http-client/index.ts'
import { ownPrefix } from '../session.ts'
import { readJsonAnswer, transportError } from './remote-answer.ts'
import type { RemoteEndpoint } from './remote-endpoint.ts'

const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, directiveIsRepeatable: false })

/** The value of `__schema`, asked as the admin (reference/remote-schemas#introspection). Throws remote-schema-error. */
export async function fetchIntrospection(
  endpoint: RemoteEndpoint,
  client: HttpClient,
  { signal, headerPrefix = ownPrefix }: { readonly signal?: AbortSignal; readonly headerPrefix?: string } = {},
) {
  const result = await client.send({
    purpose: 'remote-schema',
    method: 'POST',
    url: endpoint.url,
    shownUrl: endpoint.shownUrl,
    headers: [...endpoint.headers, ['Content-Type', 'application/json'], [`${headerPrefix}role`, 'admin']],
    body: JSON.stringify({ query, operationName: 'IntrospectionQuery' }),
    timeout: endpoint.timeout,
    ...(signal && { signal }),
  })
  if (result.kind === 'failure') throw transportError(endpoint, result)
  const { body } = result
  const json = readJsonAnswer(body)
  const data = isRecord(json) ? json.data : undefined
  if (isRecord(data) && data.__schema !== undefined) return data.__schema
  const errors = isRecord(json) ? json.errors : undefined
  throw new ApiError('remote-schema-error', Path.root, 'the remote schema did not answer its introspection', {
    internal: errors === undefined ? { status: result.status } : { errors },
  })
}
