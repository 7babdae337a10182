import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedError } from './embedded-error.ts'

/**
 * The folder of the server's socket, entered by its user alone. In /tmp, because a socket's path may have about a
 * hundred bytes, and because not every file system that holds a checkout can hold sockets.
 * @throws EmbeddedError when another client made it.
 */
export function makeSocketDirectory(dataDirectory: string, user: DatabaseUser | null): string {
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12)
  const path = `/tmp/svc-${uid}-${hash}`
  try {
    mkdirSync(path, { mode: 0o700 })
    if (user) chownSync(path, user.uid, user.gid)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const found = lstatSync(path)
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.()))
    throw new EmbeddedError(
      `${path}, the folder for PostgreSQL's socket, belongs to another user.`,
      'Remove it and start again.',
    )
  if (user && found.uid !== uid) chownSync(path, user.uid, user.gid)
  chmodSync(path, 0o700)
  return path
}

/** After the server ended. A folder that still holds something is left alone. */
export function removeSocketDirectory(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Windows has none; elsewhere the next start uses it again
  }
}
