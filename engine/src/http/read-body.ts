import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError, Path } from '../errors.ts'
import { type LateLists, LONG, parseExactly, parseLong } from '../exact-json/index.ts'
import { type LongWork, Stretches } from '../long-work.ts'
import { countValues } from './count-values.ts'
import { ClientGone } from './exchange.ts'

/** Reads all bytes of a request. Throws bad-request 413 beyond `limit`, ClientGone when they end too early. */
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
    request.once('end', () => resolve(new Stretches().run(joined(chunks, length))))
    const cutOff = () => {
      // every request closes in the end, and making an error costs 20 µs
      if (!request.complete) reject(new ClientGone())
    }
    request.once('error', cutOff)
    request.once('close', cutOff)
  })
}

/** 250 MB take 80 ms. */
function* joined(chunks: readonly Buffer[], length: number): LongWork<Buffer> {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  if (length <= LONG) return Buffer.concat(chunks)
  const body = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const chunk of chunks) {
    at += chunk.copy(body, at)
    yield chunk.length / 1024
    // V8 cleans up its whole heap after 64 MB of buffers that it has not found to be garbage
    if (chunk.length === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
  }
  return body
}

export const bodyTooLarge = (limit: number) =>
  new ApiError('bad-request', Path.root, `the request body is larger than ${limit} bytes (--max-body-size)`, {
    status: 413,
  })

/** A body that takes long to parse: it yields to the event loop (`parseLongJson`). */
export const isLongBody = (bytes: Buffer): boolean => bytes.length > LONG_BODY

/**
 * Bytes. JSON.parse takes a tenth of the time, 0.25 ms of 62 kB (1,000 rows of three columns); the worst of 64 kB, objects of
 * which no two have the same keys, keeps the event loop for 20 ms on a busy machine.
 */
const LONG_BODY = 65_536

/**
 * Numbers keep digits that JavaScript's would lose. Throws invalid-json (reference/http#endpoints), and bad-request 413
 * for more than `maxValues` values.
 */
export function parseJson(bytes: Buffer, maxValues: number): unknown {
  // each value has a byte at least
  if (bytes.length > maxValues && countValues(bytes) > maxValues) throw tooManyValues(maxValues)
  if (!isUtf8(bytes)) throw notUtf8()
  try {
    return parseExactly(bytes.toString('utf8'))
  } catch (cause) {
    throw notJson(cause)
  }
}

/** The same in stretches of a few milliseconds, whatever the size. `late`: as `parseLong` has it. */
export async function parseLongJson(bytes: Buffer, maxValues: number, late?: LateLists): Promise<unknown> {
  const stretches = new Stretches()
  await stretches.yield()
  if (!(await stretches.run(isLongUtf8(bytes)))) throw notUtf8()
  try {
    return await stretches.run(parseLong(bytes, maxValues, () => tooManyValues(maxValues), late))
  } catch (cause) {
    throw cause instanceof ApiError ? cause : notJson(cause)
  }
}

/** 250 MB take 30 ms at once. */
function* isLongUtf8(bytes: Buffer): LongWork<boolean> {
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + PIECE, bytes.length)
    // no piece ends inside a character, which has four bytes at most
    for (let i = 0; i < 3 && isContinuation(bytes[to]); i++) to--
    if (!isUtf8(bytes.subarray(from, to))) return false
    yield PIECE / 65_536
    from = to
  }
  return true
}

const PIECE = 4_194_304
const isContinuation = (byte = 0) => (byte & 0xc0) === 0x80

const tooManyValues = (maxValues: number) =>
  new ApiError(
    'bad-request',
    Path.root,
    `the request holds more than ${maxValues} values (--max-graphql-values, of metadata --max-body-values)`,
    { status: 413 },
  )

const notUtf8 = () => new ApiError('invalid-json', Path.root, 'the request body is not UTF-8')

const notJson = (cause: unknown) =>
  new ApiError('invalid-json', Path.root, 'the request body is not JSON', {
    internal: cause instanceof Error ? cause.message.slice(0, 200) : '',
    cause,
  })
