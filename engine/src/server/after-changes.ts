import type { MetadataService } from '../admin/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { Services } from '../http/index.ts'
import type { WebsocketServer } from '../websocket/index.ts'
import type { Peers } from '../workers/index.ts'

/** What follows a change of metadata before its answer is sent. */
export interface AfterChanges {
  readonly config: ServerConfig
  readonly metadata: MetadataService
  readonly websockets: WebsocketServer
  readonly peers: Peers | null
}

/**
 * Returns `admin` with the steps after a change of metadata: websockets are closed so that clients reconnect
 * (reference/websockets#ends). Where several workers serve as one, all of them serve a change before it is answered, so
 * that the client's next request finds it.
 */
export function withAfterChanges(
  admin: Services['admin'],
  { config, metadata, websockets, peers }: AfterChanges,
): Services['admin'] {
  const afterwards = async (restart: boolean): Promise<void> => {
    if (peers) await peers.ask('follow', { restart })
    else if (restart) websockets.restart()
  }
  peers?.onQuestion('follow', async (payload) => {
    await metadata.follow().finally(() => {
      if ((payload as { readonly restart: boolean }).restart) websockets.restart()
    })
    return true
  })
  return async (endpoint, ...asked) => {
    const answer = await admin(endpoint, ...asked)
    if (answer.modified) await afterwards(endpoint === '/v1/metadata' && config.closeWebsocketsOnMetadataChange)
    return answer
  }
}
