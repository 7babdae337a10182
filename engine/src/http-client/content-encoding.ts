import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'

/** What a client that undoes them may request. */
export const knownEncodings = 'gzip, deflate, br'

const decoders = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  // some send it without the header that the standard requests
  raw: promisify(inflateRaw),
}

/**
 * The body of a response without its Content-Encoding; one that is not known is left as it is. Rejects with the code
 * ERR_BUFFER_TOO_LARGE where it has more than `most` bytes, and with another one where it is not what it says.
 */
export async function decoded(body: Buffer, encoding: string | undefined, most: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? ''
  // of a response to HEAD, or one without content
  if (name === '' || body.length === 0) return body
  const limit = { maxOutputLength: Math.max(1, most) }
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return decoders.gzip(body, limit)
    case 'br':
      return decoders.br(body, limit)
    case 'deflate':
      return ((body[0] ?? 0) & 0x0f) === 0x08 ? decoders.deflate(body, limit) : decoders.raw(body, limit)
    default:
      return body
  }
}
