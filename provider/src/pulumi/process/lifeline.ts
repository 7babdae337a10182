/**
 * Ends the process when Pulumi requests it, and soon after the process that started it has ended. A reader of the
 * output that is gone is no reason.
 */
export function holdLifeline(leave: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0)
  }, 500).unref()
}
