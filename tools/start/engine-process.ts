import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readLogLine } from '../../provider/src/sandbox/index.ts'
import type { Settings } from './settings.ts'
import { StartError } from './terminal.ts'

export type Engine = {
  readonly url: string
  readonly log: string
  /** Resolves when the engine has ended, with its last output unless it was stopped. */
  readonly ended: Promise<string | null>
  /** Passes a signal on and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Starts the engine on its embedded database and waits until it serves. @throws StartError with what it complains of. */
export async function startEngine(settings: Settings, adminSecret: string): Promise<Engine> {
  await checkPort(settings)
  const child = spawnEngine(settings, adminSecret)
  const log = join(settings.home, 'engine.log')
  const complaints: string[] = []
  const file = createWriteStream(log, { flags: 'w', mode: 0o600 })
  file.on('error', () => {}) // a full disk must not end what still serves
  let stopping = false
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(stopping ? null : reasonOf(complaints, log, signal ?? code)))
  })
  const url = await new Promise<string>((resolve, reject) => {
    const receive = (line: string) => {
      file.write(`${line}\n`)
      const said = readLogLine(line)
      if (said.served) resolve(said.served)
      if (said.complaint) complaints.push(said.complaint)
    }
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', receive)
    ended.then((complaint) => reject(new StartError(complaint ?? 'The engine was stopped.')))
  })
  const stop = async (signal: NodeJS.Signals) => {
    // a second signal means "at once" to the engine: only the first one is passed on
    if (!stopping) child.kill(signal)
    stopping = true
    await ended
  }
  return { url, log, ended, stop }
}

/** Through its launcher, which also ends it when this process is killed: the pipe on descriptor 3 closes then. */
function spawnEngine({ checkout, home, host, port }: Settings, adminSecret: string): ChildProcess {
  const { SVC_GRAPHQL_DATABASE_URL: _, SVC_GRAPHQL_METADATA_DATABASE_URL: __, ...environment } = process.env
  const args = ['--embedded', '--embedded-data-directory', home, 'serve']
  const listen = ['--server-host', host, '--server-port', String(port)]
  return spawn(process.execPath, [join(checkout, 'engine/bin/svc-engine.js'), ...args, ...listen], {
    cwd: checkout,
    env: {
      SVC_GRAPHQL_ENABLE_CONSOLE: 'true',
      ...environment,
      SVC_GRAPHQL_ADMIN_SECRET: adminSecret,
      SVC_LAUNCHER_LIFELINE: '3',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
}

/** Before anything is started: it is the usual mistake, and this is the quickest answer. */
function checkPort({ host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use. Free it, or take another: SVC_GRAPHQL_SERVER_PORT=${port + 1} npm start`
            : `Cannot listen on ${host}, port ${port} (${error.code}). Take another: SVC_GRAPHQL_SERVER_PORT=8081 npm start`,
        ),
      ),
    )
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

/** What it said last; of a crash, whose last words mean nothing, the line that names the error. */
function reasonOf(complaints: readonly string[], log: string, ending: string | number | null): string {
  const crash = complaints.find((line) => /^\w*Error\b/.test(line))
  if (crash) return `The engine crashed: ${crash}. Its log is ${log}.`
  return complaints.at(-1) ?? `The engine ended (${ending}). Its log is ${log}.`
}

export type Connection = { readonly url: string; readonly dataDirectory: string; readonly log: string }

/** Where the embedded database is: it writes that down whenever it starts. */
export function readConnection(home: string): Connection {
  return JSON.parse(readFileSync(join(home, 'database.json'), 'utf8'))
}
