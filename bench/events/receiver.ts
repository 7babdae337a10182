/** A receiver in a process of its own: answers at once, and reports, on request, when the next request came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let asked = false
const server = createServer((request, response) => {
  if (asked) process.send?.(performance.timeOrigin + performance.now())
  asked = false
  request.resume()
  request.on('end', () => response.end('{}'))
})
process.on('message', (message) => {
  asked = message === 'report'
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
