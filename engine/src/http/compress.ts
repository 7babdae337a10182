import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Whether an answer of that length is sent as gzip (spec 04 §1.7). */
export function wantsGzip(acceptEncoding: string | undefined, length: number): boolean {
  if (acceptEncoding === undefined) return false
  const weights = new Map(
    acceptEncoding.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, q === undefined ? 1 : Number(q.slice(2))] as const
    }),
  )
  if (!((weights.get('gzip') ?? 0) > 0)) return false
  const identityRefused = (weights.get('identity') ?? weights.get('*') ?? 1) === 0
  return length >= 700 || identityRefused
}

export async function gzipped(body: readonly Buffer[], length: number): Promise<Buffer> {
  return compress(body.length === 1 && body[0] ? body[0] : Buffer.concat(body), { level: length > 20_000 ? 6 : 1 })
}
