import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { chooseDatabaseUser, type DatabaseUser, dataOwnerOf } from './database-user.ts'
import { EmbeddedError } from './embedded-error.ts'
import { runProgram } from './run-program.ts'

/** Where root puts what the database's user could not reach in the checkout. */
export const SYSTEM_DIRECTORY = '/var/lib/svc-embedded'

export type DataPlace = {
  /** The folder that was requested. `database.json` in it always says where the rest is. */
  readonly home: string
  /** The folder that holds the data: `home`, unless the database's user cannot enter that. */
  readonly directory: string
  readonly user: DatabaseUser | null
}

/** Makes the folder for the data and finds the user PostgreSQL runs under. @throws EmbeddedError, file system errors. */
export async function preparePlace(dataDirectory: string): Promise<DataPlace> {
  const home = resolve(dataDirectory)
  const isRoot = process.getuid?.() === 0
  const created = mkdirSync(home, { recursive: true, mode: isRoot ? 0o755 : 0o700 })
  if (!isRoot) {
    checkWritable(home)
    return { home, directory: home, user: null }
  }
  // a strict umask would keep the database's user out of a folder that is open to it on purpose
  if (created) chmodSync(home, 0o755)
  const moved = movedTo(home)
  const user = chooseDatabaseUser(home, dataOwnerOf(moved ?? home))
  if (!user) return { home, directory: home, user }
  if (moved !== null) {
    mkdirSync(moved, { recursive: true }) // someone may have removed it to start over
    return { home, directory: moved, user }
  }
  if (await canEnter(home, user)) return { home, directory: home, user }
  if (await canEnter(dirname(home), user)) {
    letGroupIn(home, user)
    if (await canEnter(home, user)) return { home, directory: home, user }
  }
  return { home, directory: moveTo(home), user }
}

/** Whether `user` can enter a folder: the system decides, since access lists and mounts count too. */
async function canEnter(path: string, user: DatabaseUser): Promise<boolean> {
  const { failure, exitCode } = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', path], user)
  if (failure !== null)
    throw new EmbeddedError(
      `PostgreSQL refuses to run as root, and root may not become ${user.name} here (${failure}).`,
      'Start the engine as another user.',
    )
  return exitCode === 0
}

function checkWritable(home: string): void {
  const probe = join(home, `.writable-${randomBytes(4).toString('hex')}`)
  mkdirSync(probe)
  rmdirSync(probe)
}

/** Only to pass through: the files in the folder keep their own modes, and secrets are readable only by their owner. */
function letGroupIn(home: string, user: DatabaseUser): void {
  chownSync(home, 0, user.gid)
  chmodSync(home, (statSync(home).mode & 0o777) | 0o010)
}

const pointer = (home: string) => join(home, 'moved-to')

function movedTo(home: string): string | null {
  return existsSync(pointer(home)) ? readFileSync(pointer(home), 'utf8').trim() : null
}

/** The name is new each time: a user who removes `home` wants to start over, and must not find the old data again. */
function moveTo(home: string): string {
  const name = `${basename(dirname(home)) || 'data'}-${randomBytes(4).toString('hex')}`
  const directory = join(SYSTEM_DIRECTORY, name)
  makeSystemDirectory()
  mkdirSync(directory, { mode: 0o755 })
  chmodSync(directory, 0o755)
  writeFileSync(pointer(home), `${directory}\n`)
  return directory
}

/** @throws EmbeddedError when it cannot be made. */
export function makeSystemDirectory(): void {
  try {
    mkdirSync(SYSTEM_DIRECTORY, { recursive: true })
    chmodSync(SYSTEM_DIRECTORY, 0o755)
  } catch (cause) {
    throw new EmbeddedError(
      `The user that PostgreSQL runs under cannot enter this checkout, and ${SYSTEM_DIRECTORY} cannot be made.`,
      'Move the checkout to a folder that every user may enter, or start the engine as another user.',
      cause,
    )
  }
}
