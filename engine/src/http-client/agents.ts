import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { lookupPublic } from './addresses.ts'

/**
 * Idle connections end after this, in milliseconds: node's own servers end theirs after 5 seconds, and a request on a
 * connection that is just being ended fails without an error of either side.
 */
const idleMilliseconds = 4000

export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  destroy(): void
}

/** Connections that are used again, at most `maxSockets` to a host. */
export function createAgents(allowPrivateAddresses: boolean, maxSockets: number): Agents {
  const options = {
    keepAlive: true,
    scheduling: 'lifo',
    maxSockets,
    maxFreeSockets: 64,
    ...(!allowPrivateAddresses && { lookup: lookupPublic }),
  } as const
  const http = endingIdle(new HttpAgent(options))
  const https = endingIdle(new HttpsAgent(options))
  return {
    http,
    https,
    destroy: () => {
      http.destroy()
      https.destroy()
    },
  }
}

/** The agent's own rule (a server's hint) counts where it is shorter. */
function endingIdle<A extends HttpAgent>(agent: A): A {
  const kept = agent as unknown as { keepSocketAlive(socket: Socket): boolean }
  const keepSocketAlive = kept.keepSocketAlive.bind(agent)
  kept.keepSocketAlive = (socket) => {
    const keeps = keepSocketAlive(socket)
    if (keeps && (!socket.timeout || socket.timeout > idleMilliseconds)) socket.setTimeout(idleMilliseconds)
    return keeps
  }
  return agent
}
