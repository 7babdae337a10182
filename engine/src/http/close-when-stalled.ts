import type { ServerResponse } from 'node:http'

/**
 * Ends the connection of a client that reads nothing of its answer for that long: what it was sent would remain in
 * memory for as long as it likes. A client that reads slowly gets all of it, since node counts every piece that is sent
 * as activity.
 */
export function closeWhenStalled(response: ServerResponse, milliseconds: number, report: () => void): void {
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
