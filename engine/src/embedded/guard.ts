import { spawn } from 'node:child_process'
import type { Cluster } from './postmaster.ts'
import { spawnOptions } from './run-program.ts'

// by number, and only while the data directory still names it: the next engine may have started its own by then
const GUARD = `
while read -r _; do :; done
read -r now < "$2/postmaster.pid" && [ "$now" = "$1" ] && kill -INT "$1"`

/**
 * Stops the server when this process ends without having done so, killed included: a shell that waits for the end of
 * its standard input, which only this process holds open. The answer takes the guard away.
 */
export function guardAgainstDeath({ directory, user }: Cluster, pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', String(pid), directory], {
    ...spawnOptions(user),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // without a guard the next start clears up
  guard.once('error', () => {})
  guard.stdin.once('error', () => {})
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return () => guard.kill('SIGKILL')
}
