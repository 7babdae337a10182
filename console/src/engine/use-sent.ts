import { useState } from 'preact/hooks'

/** Whether what `send` sends is on its way, and why it failed last; `done` is called when it has succeeded. */
export function useSent(send: () => Promise<unknown>, done: () => void) {
  const [isSending, set] = useState(false)
  const [failure, fail] = useState<Error | null>(null)
  const start = () => {
    set(true)
    fail(null)
    send().then(done, (error: Error) => {
      fail(error)
      set(false)
    })
  }
  return { isSending, failure, start }
}
