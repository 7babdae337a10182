import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedError } from './embedded-error.ts'
import type { Programs } from './programs.ts'
import { runProgram, spawnOptions } from './run-program.ts'
import { findProcess, processExists } from './running-process.ts'

export type Cluster = {
  readonly directory: string
  readonly log: string
  readonly programs: Programs
  readonly user: DatabaseUser | null
}

export type Postmaster = {
  readonly pid: number
  /** When the server has ended, for whatever reason: the last thing its log says. */
  readonly ended: Promise<string>
  /** Waits for the end of the child, so that no zombie is left to the process that started the engine. */
  reap(): Promise<void>
}

/** A damaged recovery can take minutes; something that hangs should not take for ever. */
const START_LIMIT_MS = 300_000
/** Children of a killed server hold its memory until they notice: a few milliseconds, unless the machine is busy. */
const REMAINS_LIMIT_MS = 15_000

/**
 * Starts the server and waits until it takes connections.
 * @throws EmbeddedError with the last line of the log and where the log is.
 */
export async function startPostmaster(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<Postmaster> {
  const giveUpAt = Date.now() + REMAINS_LIMIT_MS
  for (;;) {
    const result = await tryStart(cluster, settings)
    if (typeof result !== 'string') return result
    if (/pre-existing shared memory block/.test(result) && Date.now() < giveUpAt) await pause(50)
    else throw new EmbeddedError(`PostgreSQL did not start: ${result}.`, `Its log is ${cluster.log}.`)
  }
}

/** The running server, or the reason why there is none. */
async function tryStart(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<Postmaster | string> {
  rotate(cluster.log)
  const log = openSync(cluster.log, 'a', 0o600)
  const from = statSync(cluster.log).size
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // a session of its own: Ctrl-C reaches the engine, which then stops the server in good order
  const child = spawn(cluster.programs.postgres, ['-D', cluster.directory, ...flags], {
    ...spawnOptions(cluster.user),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = endOf(child).then((failure) => failure ?? lastComplaint(cluster.log, from))
  const { pid } = child
  const ready = await (pid === undefined ? ended : Promise.race([ended, waitUntilReady(cluster, pid)]))
  // not before: until its end is reported, it may be all that keeps this process alive
  child.unref()
  if (ready !== true) return ready
  const reap = async () => {
    child.ref()
    await ended
  }
  return { pid: pid ?? 0, ended, reap }
}

/** null when it ran and ended; the reason when it could not even be started. */
function endOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', () => resolve(null))
  })
}

/** The server writes its state into postmaster.pid, which is what pg_ctl -w reads too. */
async function waitUntilReady(cluster: Cluster, pid: number): Promise<true | string> {
  const giveUpAt = Date.now() + START_LIMIT_MS
  // that there is none any more is reported elsewhere
  while (findProcess(pid) !== null) {
    const state = readState(cluster.directory)
    if (state?.pid === pid && state.status === 'ready') return true
    if (Date.now() >= giveUpAt) {
      await stopServer(cluster, pid)
      return `it was not ready after ${START_LIMIT_MS / 1000} seconds`
    }
    await pause(10)
  }
  return new Promise(() => {})
}

type State = { readonly pid: number; readonly status: string }

function readState(directory: string): State | null {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), status: (lines[7] ?? '').trim() }
  } catch {
    return null
  }
}

/**
 * Rolls back what runs, writes everything to disk, ends. A server that does not end is killed; what was
 * committed survives that too. Returns whether it has ended.
 */
export async function stopServer({ programs, directory, user }: Cluster, pid: number): Promise<boolean> {
  if (process.platform === 'win32') {
    const stop = ['stop', '-D', directory, '-m', 'fast', '-w', '-t', '30', '-s']
    return (await runProgram(programs.pgCtl, stop, user)).exitCode === 0
  }
  const startedAt = findProcess(pid)?.startedAt
  const isGone = () => findProcess(pid)?.startedAt !== startedAt
  for (const [signal, limit] of STOP_SIGNALS) {
    if (startedAt === undefined || isGone() || !reaches(pid, signal)) return true
    const giveUpAt = Date.now() + limit
    while (!isGone() && Date.now() < giveUpAt) await pause(10)
  }
  return isGone()
}

/** Sends a signal; false when there is no one left to take it. */
function reaches(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** PostgreSQL's fast and immediate shutdown, then the system's. */
const STOP_SIGNALS = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
] as const

/**
 * Clears away what a killed engine left behind on a data directory that is now ours: a server that still runs is
 * stopped. Answers its process number, or null when there was none.
 * @throws EmbeddedError when it does not end.
 */
export async function stopLeftover(cluster: Cluster): Promise<number | null> {
  const state = readState(cluster.directory)
  if (state === null) return null
  // PostgreSQL itself clears away the file of a server that is gone
  if (!processExists(state.pid)) return null
  const holder = findProcess(state.pid)
  const isServer =
    holder !== null &&
    (process.platform === 'win32' ||
      holder.workingDirectory === realpathSync(cluster.directory) ||
      holder.commandLine.includes(cluster.directory))
  if (!isServer) {
    // the server's end was not recorded, or its process id was reused by another program meanwhile: PostgreSQL would
    // take either for a server
    rmSync(join(cluster.directory, 'postmaster.pid'), { force: true })
    return null
  }
  if (!(await stopServer(cluster, state.pid)))
    throw new EmbeddedError(
      `A PostgreSQL server (process ${state.pid}) still runs on ${cluster.directory} and does not stop.`,
      `End it with: kill -9 ${state.pid}`,
    )
  return state.pid
}

const LOG_LIMIT = 10_000_000

function rotate(log: string): void {
  if (existsSync(log) && statSync(log).size > LOG_LIMIT) renameSync(log, `${log}.old`)
}

/** The last complaint in the log since `from`, without its time stamp. */
function lastComplaint(log: string, from: number): string {
  const lines = readSince(log, from).trim().split('\n')
  const line = lines.findLast((each) => /(FATAL|PANIC|ERROR):/.test(each)) ?? lines.at(-1) ?? ''
  return line.replace(/^.*?(?:FATAL|PANIC|ERROR):\s*/, '').replace(/\.$/, '') || 'it ended without a word'
}

function readSince(log: string, from: number): string {
  try {
    return readFileSync(log).subarray(from).toString('utf8')
  } catch {
    return '' // removed together with the data directory
  }
}
