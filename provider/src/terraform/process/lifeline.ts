/**
 * When the process goes: on SIGTERM, and soon after the process that started it is gone. Not on SIGINT, which Ctrl-C sends to
 * Terraform and to its providers alike: Terraform then requests what it wants. A reader of the output that is gone is
 * no reason either.
 */
export function holdLifeline(leave: () => void): void {
  process.on('SIGINT', () => {})
  process.on('SIGTERM', leave)
  process.on('SIGHUP', leave)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) leave()
  }, 500).unref()
}
