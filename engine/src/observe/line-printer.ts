/** Prints lines to a stream, those of one turn of the event loop in one write. `flush` before the process ends. */
export function linePrinter(stream: NodeJS.WriteStream): {
  readonly print: (line: string) => void
  readonly flush: () => void
} {
  let waiting = ''
  // whoever read the log has gone: the engine serves on
  stream.on('error', () => {})
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text !== '') stream.write(text)
  }
  const print = (line: string) => {
    if (waiting === '') setImmediate(flush)
    waiting += line
  }
  return { print, flush }
}
