import type { Notification } from 'pg'
import { endClient, type OpenClient, runScript } from '../connect/open-client.ts'

/** Milliseconds between attempts to listen again. */
const PAUSE = 1000

/**
 * Listens for new events on a connection of its own, which is opened again when it is lost. A caller that waits is woken whenever
 * listening begins too: what was notified before was not received. Polling is the caller's: notifications do not pass every
 * pooler.
 */
export function watchEvents(open: () => Promise<OpenClient>, wake: () => void): { close(): Promise<void> } {
  let closed = false
  let current: OpenClient | null = null
  let timer: NodeJS.Timeout | null = null

  const listen = async () => {
    timer = null
    try {
      const opened = await open()
      if (closed) {
        await endClient(opened.client)
        return
      }
      current = opened
      const { client } = opened
      client.keepsProcess(false)
      client.on('notification', ({ channel }: Notification) => {
        if (channel === 'svc_events') wake()
      })
      client.on('error', () => {})
      void client.ended.then(again)
      await runScript(client, 'LISTEN svc_events')
      wake()
    } catch {
      // the next request to the database gets the error
      again()
    }
  }
  const again = () => {
    const lost = current
    current = null
    if (lost) void endClient(lost.client)
    if (closed || timer) return
    timer = setTimeout(() => void listen(), PAUSE)
    timer.unref()
  }
  void listen()
  return {
    async close() {
      closed = true
      if (timer) clearTimeout(timer)
      if (current) await endClient(current.client)
    },
  }
}
