import type { Headers } from '../auth/index.ts'
import type { KeptOfHead } from './exchange.ts'

/** The head of a POST that says nothing out of the ordinary. */
export interface SimpleHead {
  readonly url: string
  readonly headers: Headers
  /** Bytes up to the body. */
  readonly size: number
  readonly contentLength: number
  readonly kept: KeptOfHead
}

/**
 * The head of a request when there is only one way to read it (RFC 9112): a POST of HTTP/1.1 with a Host, a
 * Content-Length, no header twice, nothing about transfer or the connection but that it be kept. Null for all other
 * requests, complete or not, right or wrong: these are for node's parser.
 */
export function simpleHead(bytes: Buffer, maxSize: number): SimpleHead | null {
  if (!bytes.subarray(0, METHOD.length).equals(METHOD)) return null
  const end = bytes.indexOf(EMPTY_LINE)
  const size = end + EMPTY_LINE.length
  if (end < 0 || size > maxSize) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const url = first.slice(METHOD.length, -VERSION.length)
  if (!first.endsWith(VERSION) || !/^\/[!-~]*$/.test(url) || lines.length > MOST_HEADERS) return null
  const headers = headersOf(lines)
  if (!headers?.host || !isKept(headers.connection) || HARD.some((name) => headers[name] !== undefined)) return null
  const length = headers['content-length'] ?? ''
  if (!/^\d{1,9}$/.test(length)) return null
  return { url, headers, size, contentLength: Number(length), kept: { authentication: null } }
}

const METHOD = Buffer.from('POST ')
const VERSION = ' HTTP/1.1'
const EMPTY_LINE = Buffer.from('\r\n\r\n')
const MOST_HEADERS = 100
const HARD = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'content-encoding']

const isKept = (connection: string | undefined) => connection === undefined || /^keep-alive$/i.test(connection)

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    const value = withoutBlanks(line, colon + 1)
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) || !/^[\t -~\x80-\xff]*$/.test(value)) return null
    // node drops the second of these, as objects have it already
    if (headers[name] !== undefined || name === '__proto__') return null
    headers[name] = value
  }
  return headers
}

/** Spaces and tabs around it do not count; what else JavaScript takes for blank does. */
function withoutBlanks(line: string, from: number): string {
  let [start, end] = [from, line.length]
  while (start < end && isBlank(line.charCodeAt(start))) start += 1
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1
  return line.slice(start, end)
}

const isBlank = (code: number) => code === 0x20 || code === 0x09
