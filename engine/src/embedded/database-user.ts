import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'

/** An account that PostgreSQL runs under in place of root. */
export type DatabaseUser = { readonly name: string; readonly uid: number; readonly gid: number }

/**
 * Returns the user that PostgreSQL runs as: `null` is the current one. It refuses root, so root starts it as another:
 * the owner of the data, else the owner of the folder that holds `home` (who can enter it, and starts without root next
 * time), else `postgres`, else `nobody`.
 * @throws EmbeddedError when there is no such account.
 */
export function chooseDatabaseUser(home: string, dataOwner: number | null): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null
  const owners = [dataOwner, ownerOf(home), ownerOf(dirname(home))].filter((uid) => uid !== null && uid !== 0)
  for (const account of [...owners, 'postgres', 'nobody']) {
    const user = lookUp(String(account))
    if (user) return user
  }
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody here.',
    'Start the engine as another user.',
  )
}

/**
 * Returns the owner of the database in a folder, so that root always runs it as that user; null when there is none yet.
 */
export const dataOwnerOf = (directory: string): number | null => ownerOf(join(directory, 'postgres'))

function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null
}

function lookUp(account: string): DatabaseUser | null {
  const ask = (flag: string) => {
    const answer = spawnSync('id', [...flag.split(' '), '--', account], { encoding: 'utf8' })
    return answer.status === 0 ? answer.stdout.trim() : null
  }
  const [uid, gid, name] = [ask('-u'), ask('-g'), ask('-u -n')]
  if (uid === null || gid === null || name === null || uid === '0') return null
  return { name, uid: Number(uid), gid: Number(gid) }
}
