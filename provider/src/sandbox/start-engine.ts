import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { SandboxError } from './problem.ts'
import { watchDisk } from './watch-disk.ts'

export interface SandboxEngine {
  readonly url: string
  readonly adminSecret: string
  /** Where it reads recorded introspections. */
  readonly recordings: string
  /** Ends it, and removes its data. Throws SandboxError where that took more of the disk than it may. */
  close(): Promise<void>
}

/**
 * Starts an engine on an embedded database in a temporary folder. Its environment is empty but for its own admin secret, which
 * no other client knows. Once its data takes more megabytes than that it is ended at once. Throws SandboxError.
 */
export async function startSandboxEngine(signal: AbortSignal, diskLimit: number): Promise<SandboxEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sandbox-'))
  // the account that PostgreSQL runs under in place of root passes through
  await chmod(folder, 0o711)
  const recordings = join(folder, 'introspections')
  await mkdir(recordings)
  const adminSecret = randomBytes(24).toString('base64url')
  const child = spawnEngine(folder, recordings, adminSecret)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isFull = false
  const unwatch = watchDisk(
    () => placesOf(folder),
    diskLimit * 1024 * 1024,
    () => {
      isFull = true
      // in good order it would wait for the very statement; its database is ended by the guard
      child.kill('SIGKILL')
    },
  )
  const close = async () => {
    unwatch()
    child.kill('SIGTERM')
    await ended
    const places = await placesOf(folder)
    for (const place of places) await rm(place, { recursive: true, force: true, maxRetries: 20 })
    if (isFull)
      throw new SandboxError(`migrations, seeds and tests fill more than ${diskLimit} MB of the disk (--disk-limit)`)
  }
  try {
    signal.throwIfAborted()
    return { url: await urlOf(child, signal), adminSecret, recordings, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The folder, and where the engine has put its data instead when the database's account cannot enter the folder: from its first
 * moment on, and under no name but one that is made of the folder's.
 */
async function placesOf(folder: string): Promise<readonly string[]> {
  const moved = (await readFile(join(folder, 'data', 'moved-to'), 'utf8').catch(() => '')).trim()
  return basename(moved).startsWith(`${basename(folder)}-`) ? [folder, moved] : [folder]
}

function spawnEngine(folder: string, recordings: string, adminSecret: string): ChildProcess {
  const place = ['--embedded', '--embedded-data-directory', join(folder, 'data'), '--sandbox', recordings]
  const listen = ['--server-host', '127.0.0.1', '--server-port', '0']
  const cache = getCompileCacheDir()
  return spawn(process.execPath, [engineProgram(), ...place, 'serve', ...listen, ...quiet], {
    cwd: folder,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...(process.platform === 'win32' && { SystemRoot: process.env.SystemRoot, TEMP: process.env.TEMP }),
      SVC_GRAPHQL_ADMIN_SECRET: adminSecret,
      SVC_LAUNCHER_LIFELINE: '3',
      ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
}

const quiet = ['--disable-eventing', '--async-actions-fetch-interval', '0', '--enabled-log-types', 'startup']

/** The engine that is installed with this command, never one that a project brings along. Throws SandboxError. */
function engineProgram(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@svc/engine/package.json')
    return join(dirname(manifest), 'bin', 'svc-engine.js')
  } catch (cause) {
    throw new SandboxError('the engine is not installed next to svc: npm install @svc/engine', cause)
  }
}

/** Where it serves, once it does. Throws SandboxError with what it complains of. */
function urlOf(child: ChildProcess, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    const receive = (line: string) => {
      const { served, complaint } = readLogLine(line)
      if (served !== undefined) resolve(served)
      if (complaint !== undefined) said.push(complaint)
    }
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', receive)
    child.once('error', (error) => reject(new SandboxError(`the engine cannot be started: ${error.message}`, error)))
    child.once('close', () => reject(new SandboxError(`the engine ended: ${said.at(-1) ?? 'it said nothing'}`)))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** A line of an engine's log: JSON, or a plain line for what keeps it from starting. */
export function readLogLine(line: string): { readonly served?: string; readonly complaint?: string } {
  try {
    const { type, level, detail } = JSON.parse(line)
    if (detail?.kind === 'server' && detail.info?.url) return { served: detail.info.url }
    if (type === 'startup' && level === 'error') return { complaint: detail?.info?.message ?? JSON.stringify(detail) }
    return {}
  } catch {
    return line.trim() === '' ? {} : { complaint: line.replace(/^Fatal Error:-? ?/, '') }
  }
}
