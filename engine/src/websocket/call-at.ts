/** Calls `act` at a time, in milliseconds since 1970; null: never. Returns what cancels that. */
export function callAt(time: number | null, act: () => void): () => void {
  if (time === null) return () => {}
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    const left = time - Date.now()
    timer = setTimeout(
      () => (left > MOST_MILLISECONDS ? wait() : act()),
      Math.min(Math.max(left, 0), MOST_MILLISECONDS),
    )
  }
  wait()
  return () => clearTimeout(timer)
}

/** setTimeout accepts no longer time. */
const MOST_MILLISECONDS = 2 ** 31 - 1
