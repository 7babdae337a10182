/**
 * Prints lines to a stream: the first one in the same turn of the event loop, those that follow quickly a few milliseconds
 * later in one write, which costs as much as reading by key. `flush` before the process ends.
 */
export function linePrinter(stream: NodeJS.WriteStream): {
  readonly print: (line: string) => void
  readonly flush: () => void
} {
  let waiting = ''
  let flushed = Number.NEGATIVE_INFINITY
  // the reader of the log has ended: the engine serves on
  stream.on('error', () => {})
  const flush = () => {
    const text = waiting
    waiting = ''
    flushed = performance.now()
    if (text !== '') stream.write(text)
  }
  const print = (line: string) => {
    if (waiting === '') {
      const left = PAUSE - (performance.now() - flushed)
      if (left > 0) setTimeout(flush, left).unref()
      else setImmediate(flush)
    }
    waiting += line
  }
  return { print, flush }
}

/** Milliseconds between writes while there are many lines. */
const PAUSE = 5
