/**
 * When the process goes: when Pulumi asks it to, and soon after the process that started it is gone. A reader of the output that
 * is gone is no reason.
 */
export function holdLifeline(leave: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0)
  }, 500).unref()
}
