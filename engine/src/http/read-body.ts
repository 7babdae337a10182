import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { countValues } from './count-values.ts'
import { ClientGone } from './exchange.ts'

/** All bytes of a request. Throws bad-request 413 beyond `limit`, ClientGone when they end too early. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(bodyTooLarge(limit))
    // left while it was authenticated
    if (request.destroyed) return reject(new ClientGone())
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        chunks.length = 0
        request.removeAllListeners('data')
        reject(bodyTooLarge(limit))
      } else chunks.push(chunk)
    })
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const cutOff = () => {
      // every request closes in the end, and making an error costs 20 µs
      if (!request.complete) reject(new ClientGone())
    }
    request.once('error', cutOff)
    request.once('close', cutOff)
  })
}

export const bodyTooLarge = (limit: number) =>
  new ApiError('bad-request', Path.root, `the request body is larger than ${limit} bytes (--max-body-size)`, {
    status: 413,
  })

/**
 * Numbers keep digits that JavaScript's would lose. Throws invalid-json (spec 04 §1.1), and bad-request 413 for more than
 * `maxValues` values.
 */
export function parseJson(bytes: Buffer, maxValues: number): unknown {
  // each value has a byte at least
  if (bytes.length > maxValues && countValues(bytes) > maxValues)
    throw new ApiError(
      'bad-request',
      Path.root,
      `the request holds more than ${maxValues} values (--max-graphql-values, of metadata --max-body-values)`,
      {
        status: 413,
      },
    )
  if (!isUtf8(bytes)) throw new ApiError('invalid-json', Path.root, 'the request body is not UTF-8')
  try {
    return parseExactly(bytes.toString('utf8'))
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : ''
    throw new ApiError('invalid-json', Path.root, 'the request body is not JSON', {
      internal: text.slice(0, 200),
      cause,
    })
  }
}
