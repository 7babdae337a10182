import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ClientGone, type ConnectionPolicy, type Exchange, LARGE, latin1Of, SMALL } from './exchange.ts'
import { readBody } from './read-body.ts'
import { SLICE, slicesOf } from './slices.ts'

/** Of each connection, the last request that was begun, until it is answered: pipelined ones are answered in their order. */
const latest = new WeakMap<Socket, ServerResponse>()

/** Whether a request of the connection is not answered yet. */
export const isAnswering = (socket: Socket): boolean => latest.has(socket)

/** Returns an exchange over node's own parser, which knows all of HTTP. */
export function nodeExchange(request: IncomingMessage, response: ServerResponse, policy: ConnectionPolicy): Exchange {
  const { closing, stallMilliseconds, reportUntaken } = policy
  const { socket } = request
  const gone = new AbortController()
  latest.set(socket, response)
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new ClientGone())
    if (latest.get(socket) !== response) return
    latest.delete(socket)
    // its head may have been written before the server began to stop
    if (closing()) socket.destroySoon()
  })
  return {
    method: request.method ?? '',
    url: request.url ?? '/',
    headers: request.headers,
    httpVersion: request.httpVersion,
    remoteAddress: request.socket.remoteAddress ?? '',
    gone: gone.signal,
    body: (limit) => readBody(request, limit),
    answer(status, headers, body, length) {
      response.writeHead(status, {
        ...(headers as OutgoingHttpHeaders),
        ...(status !== NO_CONTENT && { 'content-length': length }),
        ...(closing() && latest.get(socket) === response && { connection: 'close' }),
      })
      if (length > LARGE) closeWhenStalled(response, stallMilliseconds, () => reportUntaken(status))
      endWith(response, body, length)
    },
    destroy: () => response.destroy(),
  }
}

const NO_CONTENT = 204

/**
 * Ends the connection of a client that reads nothing of its answer for that long: what it was sent would remain in
 * memory for as long as it likes. A client that reads slowly gets all of it, since node counts every piece that is sent
 * as activity.
 */
function closeWhenStalled(response: ServerResponse, milliseconds: number, report: () => void): void {
  response.setTimeout(milliseconds, () => {
    report()
    response.destroy()
  })
  const { socket } = response.req
  // where a client sent the next request already, node leaves the bound on, and that one may take its time
  response.once('finish', () => {
    if (socket.timeout === milliseconds) socket.setTimeout(0)
  })
}

function endWith(response: ServerResponse, body: readonly Buffer[], length: number): void {
  if (length <= SMALL) {
    response.end(latin1Of(body), 'latin1')
    return
  }
  if (length > SLICE) {
    writeSlices(response, slicesOf(body))
    return
  }
  response.cork()
  for (const part of body) response.write(part)
  response.end()
  response.uncork()
}

/** All of a large answer in one turn would delay all other clients. */
function writeSlices(response: ServerResponse, slices: Iterator<readonly Buffer[]>): void {
  if (response.destroyed) return
  const slice = slices.next()
  if (slice.done) {
    response.end()
    return
  }
  response.cork()
  for (const part of slice.value) response.write(part)
  response.uncork()
  const next = () => writeSlices(response, slices)
  if (response.writableNeedDrain) response.once('drain', next)
  else setImmediate(next)
}
