import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { weightsOf } from './media-type.ts'

const compress = promisify(gzip)

/** Whether an answer of that length is sent as gzip (reference/http#headers-and-compression). */
export function wantsGzip(acceptEncoding: string | undefined, length: number): boolean {
  if (acceptEncoding === undefined) return false
  if (latest.text !== acceptEncoding) latest = { text: acceptEncoding, weights: new Map(weightsOf(acceptEncoding)) }
  const { weights } = latest
  if (!((weights.get('gzip') ?? 0) > 0)) return false
  const identityRefused = (weights.get('identity') ?? weights.get('*') ?? 1) === 0
  return length >= 700 || identityRefused
}

/** What was read last: the requests of a client have the same. */
let latest: { readonly text: string; readonly weights: ReadonlyMap<string, number> } = { text: '', weights: new Map() }

/** The answer as gzip. A large one is compressed piece by piece, since joining it would take its size once more. */
export async function gzipped(body: readonly Buffer[], length: number): Promise<readonly Buffer[]> {
  const level = length > 20_000 ? 6 : 1
  if (length <= LARGEST_JOINED)
    return [await compress(body.length === 1 && body[0] ? body[0] : Buffer.concat(body), { level })]
  const compressed: Buffer[] = []
  for await (const part of Readable.from(slices(body)).pipe(createGzip({ level }))) compressed.push(part)
  return compressed
}

const LARGEST_JOINED = 1_000_000

function* slices(body: readonly Buffer[]): Generator<Buffer> {
  for (const part of body)
    for (let at = 0; at < part.length; at += LARGEST_JOINED) yield part.subarray(at, at + LARGEST_JOINED)
}
