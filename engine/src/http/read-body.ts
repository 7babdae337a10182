import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

/** All bytes of a request. Throws bad-request 413 beyond `limit`, ClientGone when they end too early. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooLarge(limit))
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        chunks.length = 0
        request.removeAllListeners('data')
        reject(tooLarge(limit))
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

const tooLarge = (limit: number) =>
  new ApiError('bad-request', Path.root, `the request body is larger than ${limit} bytes (--max-body-size)`, {
    status: 413,
  })

/** Numbers keep digits that JavaScript's would lose. Throws invalid-json (spec 04 §1.1). */
export function parseJson(bytes: Buffer): unknown {
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
