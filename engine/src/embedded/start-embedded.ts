import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Observation } from '../observe/index.ts'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedError, fromFileSystem } from './embedded-error.ts'
import { lockDataDirectory } from './engine-lock.ts'
import { ensureDatabase, type Listening, urlsOf } from './ensure-database.ts'
import { initialiseCluster, isEmpty } from './initialise.ts'
import { type DataPlace, preparePlace } from './place.ts'
import { type Cluster, startPostmaster, stopLeftover, stopServer } from './postmaster.ts'
import { preparePrograms } from './programs.ts'
import { spawnOptions } from './run-program.ts'

// by number, and only while the data directory still names it: the next engine may have started its own by then
const GUARD = `
while read -r _; do :; done
read -r now < "$2/postmaster.pid" && [ "$now" = "$1" ] && kill -INT "$1"`

/**
 * Stops the server when this process ends without having done so, killed included: a shell that waits for the end of
 * its standard input, which only this process holds open. The returned function removes the guard.
 */
function guardAgainstDeath({ directory, user }: Cluster, pid: number): () => void {
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

export type EmbeddedOptions = {
  /** Made when missing. `database.json` in it says where everything is while the database runs. */
  readonly dataDirectory: string
  /** Also listen on 127.0.0.1; without it only on a socket (on Windows: on a free port). */
  readonly port?: number
  /** Settings of PostgreSQL on top of ours. */
  readonly settings?: Readonly<Record<string, string>>
  /** The data need not survive a crash of the machine. */
  readonly isDisposable?: boolean
  readonly report?: (observation: Observation) => void
}

export type EmbeddedDatabase = {
  /** Of the role `svc`, which owns the database `svc` and is no superuser. */
  readonly url: string
  readonly superuserUrl: string
  /** Where the data is: the folder that was requested, unless the database's user cannot enter it. */
  readonly dataDirectory: string
  readonly log: string
  readonly pid: number
  /** Resolves with the last line of the log when the server ends without a call of `stop`. */
  readonly ended: Promise<string>
  /** Stops the server in good order and releases the data directory. A second call waits for the first. */
  stop(): Promise<void>
}

/** Modest: it shares a developer's machine. Compiling plans costs more than it brings for small queries. */
const SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  jit: 'off',
  random_page_cost: '1.1',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'off',
}

/** Nothing is written to disk before its time, and no statement fills it. */
const DISPOSABLE = {
  shared_buffers: '32MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  temp_file_limit: '1GB',
}

/**
 * Starts a real PostgreSQL of the engine's own on a data directory, making the database on the first start
 * (architecture, decision 7). It ends with this process, however that ends.
 * @throws EmbeddedError: one line that says what is wrong and what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const place = await preparePlace(options.dataDirectory)
    const unlock = lockDataDirectory(place.directory)
    try {
      return await startIn(place, unlock, options)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw fromFileSystem(error, options.dataDirectory)
  }
}

async function startIn(place: DataPlace, unlock: () => void, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const startedAt = performance.now()
  const report = options.report ?? (() => {})
  const { home, directory, user } = place
  if (home !== directory) report({ kind: 'embedded-moved', asked: home, directory, user: user?.name ?? '' })
  const programs = await preparePrograms(user, directory)
  const log = join(directory, 'postgres.log')
  const cluster: Cluster = { directory: join(directory, 'postgres'), log, programs, user }
  if (isEmpty(cluster.directory)) report({ kind: 'embedded-initialising', directory })
  const passwords = await initialiseCluster(cluster.directory, programs, user, options.isDisposable === true)
  const leftover = await stopLeftover(cluster)
  if (leftover !== null) report({ kind: 'embedded-leftover-stopped', pid: leftover })

  const listening = await chooseListening(place, options.port)
  const settings = {
    ...SETTINGS,
    ...(options.isDisposable && DISPOSABLE),
    ...options.settings,
    ...listenSettings(listening, options.port),
  }
  const postmaster = await startPostmaster(cluster, settings).catch((error: unknown) => {
    removeSocketDirectory(listening.host)
    throw error
  })
  const dismissGuard = guardAgainstDeath(cluster, postmaster.pid)
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopServer(cluster, postmaster.pid).then(async (isGone) => {
      if (isGone) await postmaster.reap()
      dismissGuard()
      removeSocketDirectory(listening.host)
      unlock()
      report({ kind: 'embedded-stopped', directory })
    })
    return stopping
  }
  const urls = urlsOf(listening, passwords)
  try {
    await ensureDatabase(urls, passwords, log)
    writeConnectionFile(place, { ...urls, dataDirectory: directory, log, pid: postmaster.pid })
  } catch (error) {
    await stop()
    throw error
  }
  const ended = new Promise<string>((resolve) => {
    postmaster.ended.then((lastLine) => {
      dismissGuard()
      if (!stopping) resolve(lastLine)
    })
  })
  const milliseconds = Math.round(performance.now() - startedAt)
  report({ kind: 'embedded-started', directory, user: user?.name ?? null, pid: postmaster.pid, log, milliseconds })
  return { ...urls, dataDirectory: directory, log, pid: postmaster.pid, ended, stop }
}

async function chooseListening({ directory, user }: DataPlace, port: number | undefined): Promise<Listening> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: port ?? (await freePort()) }
  return { host: makeSocketDirectory(directory, user), port: port ?? 5432 }
}

function listenSettings({ host, port }: Listening, asked: number | undefined): Readonly<Record<string, string>> {
  const loopback = asked !== undefined || process.platform === 'win32'
  return {
    port: String(port),
    listen_addresses: loopback ? '127.0.0.1' : '',
    ...(process.platform !== 'win32' && { unix_socket_directories: host }),
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** For users who read the database with other tools. It contains passwords: readable by its owner only. */
function writeConnectionFile({ home }: DataPlace, content: object): void {
  const path = join(home, 'database.json')
  const fresh = `${path}.new`
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  if (process.getuid) chownSync(fresh, process.getuid(), process.getgid?.() ?? -1)
  renameSync(fresh, path)
}

/**
 * The folder of the server's socket, entered only by its user. In /tmp, because a socket's path may have about a
 * hundred bytes, and because not every file system that holds a checkout can hold sockets.
 * @throws EmbeddedError when another user made it.
 */
function makeSocketDirectory(dataDirectory: string, user: DatabaseUser | null): string {
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

/** Called after the server ended. A folder that is not empty is not removed. */
function removeSocketDirectory(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Windows has none; elsewhere the next start uses it again
  }
}
