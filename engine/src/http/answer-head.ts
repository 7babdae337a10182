import { STATUS_CODES, validateHeaderValue } from 'node:http'
import type { AnswerHeaders } from './exchange.ts'

/** The head of an answer of HTTP/1.1 as latin1. 0 milliseconds: the connection is closed behind it. */
export function answerHead(
  status: number,
  headers: AnswerHeaders,
  length: number,
  keepAliveMilliseconds: number,
): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (const name in headers) {
    const values = headers[name] ?? ''
    if (typeof values === 'string') text += headerLine(name, values)
    else for (const value of values) text += headerLine(name, value)
  }
  const connection =
    keepAliveMilliseconds === 0
      ? 'close'
      : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMilliseconds / 1000)}`
  return `${text}content-length: ${length}\r\nDate: ${httpDate()}\r\nConnection: ${connection}\r\n\r\n`
}

function headerLine(name: string, value: string): string {
  // node's own check costs four times as much
  if (INVALID.test(value)) validateHeaderValue(name, value)
  return `${name}: ${value}\r\n`
}

/** The characters that node refuses in a value. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/

let dated = { second: 0, text: '' }

/** Now; made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dated.second) dated = { second, text: new Date(second * 1000).toUTCString() }
  return dated.text
}
