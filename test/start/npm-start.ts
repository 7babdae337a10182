/** `npm start` as a test runs it: the same program with its data in a folder of the test's own, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastFolder } from '../fast-folder.ts'

export const checkout = fileURLToPath(new URL('../..', import.meta.url))

export type Run = {
  readonly child: ChildProcess
  /** What it has said so far, without colours. */
  output(): string
  errors(): string
  /** Settles once it serves; rejects with what it said if it ends before. */
  readonly ready: Promise<void>
  readonly exitCode: Promise<number | null>
  /** As Ctrl-C does, and waits for the end. */
  interrupt(): Promise<number | null>
}

type Start = { readonly port?: number; readonly uid?: number /** With npm between. */; readonly npm?: boolean }

/** Runs the program behind `npm start` with its data in `home`. */
function npmStart(home: string, { port = 0, uid, npm = false }: Start = {}): Run {
  const [program, ...args] = npm ? ['npm', 'start'] : [process.execPath, 'tools/with-node24.js', 'tools/start.ts']
  const child = spawn(program, args, {
    cwd: checkout,
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NO_COLOR: '1',
      SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY: home,
      SVC_GRAPHQL_SERVER_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, complained] = ['', '']
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    // it may not run at all
    child.once('error', reject)
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      said += part
      if (said.includes('\nReady.')) resolve()
    })
    child.stderr.on('data', (part) => {
      complained += part
    })
    exitCode.then((code) => reject(new Error(`npm start ended with ${code}:\n${said}${complained}`)), reject)
  })
  // for tests that expect it
  ready.catch(() => {})
  exitCode.catch(() => {})
  const interrupt = () => {
    child.kill('SIGINT')
    return exitCode
  }
  return { child, output: () => said, errors: () => complained, ready, exitCode, interrupt }
}

export type Scene = { readonly home: string; start(options?: Start): Run; cleanUp(): Promise<void> }

/** A folder for the data of one test, and what was started on it. */
export function makeScene(): Scene {
  const folder = mkdtempSync(join(fastFolder(), 'svc-start-test-'))
  chmodSync(folder, 0o755)
  const home = join(folder, '.svc')
  const runs: Run[] = []
  const start = (options?: Start) => {
    const run = npmStart(home, options)
    runs.push(run)
    return run
  }
  const cleanUp = async () => {
    for (const run of runs) await run.interrupt().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  return { home, start, cleanUp }
}

/** The engine's address, from what it said. */
export function urlOf(run: Run): string {
  const url = /serving on (\S+)/.exec(run.output())?.[1]
  if (!url) throw new Error(`no address in:\n${run.output()}`)
  return url
}

export const adminSecretIn = (home: string): string => readFileSync(join(home, 'admin-secret'), 'utf8').trim()

export const databaseIn = (home: string): { readonly pid: number; readonly url: string } =>
  JSON.parse(readFileSync(join(home, 'database.json'), 'utf8'))
