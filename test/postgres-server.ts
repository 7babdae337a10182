/**
 * A PostgreSQL server that lives as long as the process that asked for it: the tests' and tools' own,
 * with its data in a temporary folder, in memory where it fits, and nothing written safely to disk.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { preparePrograms } from '../engine/src/embedded/index.ts'
import { fastFolder } from './fast-folder.ts'

export type PostgresServer = {
  /** Of the superuser `postgres`, in the database `postgres`. */
  readonly url: string
  /** At once, whatever runs; `immediate` as if it had crashed. Resolves when it accepts connections again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  /** Another server that follows this one. It ends with it. */
  replica(): Promise<PostgresReplica>
  /** Stops the server and removes its data. Without it both happen when this process ends, however it ends. */
  stop(): Promise<void>
}

/** A hot standby, streamed to; its URL is that of the superuser in the database `postgres`. */
export type PostgresReplica = {
  readonly url: string
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** It follows no server any more, and accepts writes. */
  promote(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it the user and group that own nothing. */
const unprivileged = process.getuid?.() === 0 ? { name: 'nobody', uid: 65534, gid: 65534 } : null
const account = unprivileged ? { uid: unprivileged.uid, gid: unprivileged.gid } : {}

/**
 * Starts a server from `binDirectory` (that of initdb and pg_ctl), or from the embedded PostgreSQL.
 * @throws Error with the end of the server's log.
 */
export async function startPostgres(binDirectory?: string): Promise<PostgresServer> {
  const directory = mkdtempSync(join(temporaryDirectory(), 'svc-test-pg-'))
  const bin = binDirectory ?? dirname((await preparePrograms(unprivileged, directory)).initdb)
  const password = randomBytes(12).toString('hex')
  writeFileSync(join(directory, 'password'), password)
  if (unprivileged)
    for (const path of ['.', 'password']) chownSync(join(directory, path), unprivileged.uid, unprivileged.gid)

  // The shell holds the server: it stops it once its standard input closes, which the end of this process
  // brings about even when it is killed. Detached, so that Ctrl-C does not reach it first.
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', bin, directory, LOCALE], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  for (const emitter of [keeper, keeper.stdin]) emitter.on('error', () => {}) // its end says it all
  const ended = new Promise<void>((resolve) => keeper.once('close', () => resolve()))
  const answer = () => {
    const said = new Promise<string>((resolve) => keeper.stdout.once('data', (line) => resolve(String(line).trim())))
    return Promise.race([said, ended.then(() => 'ended')])
  }
  const send = (command: string) => {
    const answered = answer()
    keeper.stdin.write(`${command}\n`)
    return answered
  }
  const start = async (triesLeft: number): Promise<number | null> => {
    const port = await freePort()
    if ((await send(`start ${port}`)) === 'done') return port
    // another process listens or connects there since
    return triesLeft > 0 && /Address already in use/.test(readLog(directory)) ? start(triesLeft - 1) : null
  }
  const port = (await answer()) === 'made' ? await start(5) : null
  const restart = async (mode: string) => {
    if ((await send(`restart ${mode}`)) === 'done') return
    throw new Error(`the PostgreSQL for the tests did not restart:\n${readLog(directory)}`)
  }
  const command = async (text: string) => {
    if ((await send(text)) === 'done') return
    throw new Error(`the PostgreSQL for the tests did not "${text.split(' ')[0]}":\n${readLog(directory)}`)
  }
  let replicas = 0
  const replica = async (): Promise<PostgresReplica> => {
    replicas += 1
    const name = `replica${replicas}`
    const own = await freePort()
    await command(`replica ${name} ${own} ${port} ${password}`)
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${own}/postgres`,
      stop: (mode = 'fast') => command(`stop ${name} ${mode}`),
      start: () => command(`again ${name}`),
      promote: () => command(`promote ${name}`),
    }
  }
  const stop = async () => {
    keeper.ref()
    keeper.stdin.end()
    await ended
  }
  if (port === null) {
    const log = readLog(directory)
    keeper.stdin.end()
    rmSync(directory, { recursive: true, force: true })
    throw new Error(`the PostgreSQL for the tests did not start (${bin}):\n${log}`)
  }
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stdout]) if ('unref' in stream) (stream.unref as () => void)()
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, restart, replica, stop }
}

/** One that compares by code points and knows all letters; macOS has it under no name. */
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

const KEEPER = `
bin=$1 directory=$2 locale=$3
cd "$directory"
trap 'cd /; rm -rf "$directory"' EXIT
"$bin/initdb" -D data -U postgres -E UTF8 --locale=$locale --auth-local=trust --auth-host=scram-sha-256 \\
  --pwfile=password --no-sync >>log 2>&1 && echo made || echo failed
while read -r command argument; do
  case $command in
  start)
    "$bin/pg_ctl" -D data -w -t 60 -l log start -o "-p $argument -c listen_addresses=127.0.0.1 \\
      -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c synchronous_commit=off \\
      -c max_connections=300 -c shared_buffers=64MB" >>log 2>&1 ;;
  restart) "$bin/pg_ctl" -D data -w -t 60 -m "$argument" -l log restart >>log 2>&1 ;;
  stop) set -- $argument; "$bin/pg_ctl" -D "$1" -w -t 60 -m "$2" stop >>log 2>&1 ;;
  again) "$bin/pg_ctl" -D "$argument" -w -t 60 -l log restart >>log 2>&1 ;;
  promote) "$bin/pg_ctl" -D "$argument" -w -t 60 promote >>log 2>&1 ;;
  replica)
    set -- $argument
    "$bin/pg_ctl" -D data -w -m fast stop >>log 2>&1 && cp -a data "$1" &&
      "$bin/pg_ctl" -D data -w -l log restart >>log 2>&1 && touch "$1/standby.signal" &&
      echo "primary_conninfo = 'host=127.0.0.1 port=$3 user=postgres password=$4'" >>"$1/postgresql.auto.conf" &&
      "$bin/pg_ctl" -D "$1" -w -t 60 -l log start -o "-p $2 -c listen_addresses=127.0.0.1 \\
        -c unix_socket_directories= -c fsync=off -c max_connections=300 -c shared_buffers=32MB" >>log 2>&1 ;;
  esac && echo done || echo failed
done
for each in replica*/ data/; do
  test -f "$each/postmaster.pid" && "$bin/pg_ctl" -D "$each" -w -m immediate stop >>log 2>&1
done
`

/** The first folder for temporary files that the server's user can reach too. */
function temporaryDirectory(): string {
  const writable = (path: string) => spawnSync('test', ['-w', path], { ...account, cwd: '/' }).status === 0
  return [fastFolder(), tmpdir(), '/tmp', '/var/tmp'].find(writable) ?? tmpdir()
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

function readLog(directory: string): string {
  try {
    return readFileSync(join(directory, 'log'), 'utf8').split('\n').slice(-20).join('\n')
  } catch {
    return 'no log was written'
  }
}
