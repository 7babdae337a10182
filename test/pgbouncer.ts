/** Debian's PgBouncer in transaction mode in front of a database: `const pooler = await startPgBouncer(url, 3, t)`. */
import { spawn } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = '/usr/sbin/pgbouncer'

export const isPgBouncerInstalled = (() => {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
})()

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type PgBouncer = {
  /** The database of the given URL, by way of the pooler. */
  readonly url: string
  /** Ends it with all its connections and starts it again. Resolves when it answers. */
  restart(): Promise<void>
}

/** A pooler with that many connections to a database; `more` are lines of its settings. */
export async function startPgBouncer(
  databaseUrl: string,
  poolSize: number,
  t: WithAfter,
  more: readonly string[] = [],
): Promise<PgBouncer> {
  const url = new URL(databaseUrl)
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-pgbouncer-'))
  const port = await freePort()
  const settings = `
[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${directory}/users
pool_mode = transaction
default_pool_size = ${poolSize}
${more.join('\n')}
`
  writeFileSync(join(directory, 'settings'), settings)
  writeFileSync(join(directory, 'users'), `"${url.username}" "${decodeURIComponent(url.password)}"\n`)
  // it refuses to run as root
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (account.uid)
    for (const name of ['.', 'settings', 'users']) chownSync(join(directory, name), account.uid, account.gid)
  const start = async () => {
    const child = spawn(program, [join(directory, 'settings')], {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    while (!(await answers(port))) if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${log}`)
    return async () => {
      child.kill('SIGKILL')
      await ended
    }
  }
  let end = await start()
  t.after(async () => {
    await end()
    rmSync(directory, { recursive: true, force: true })
  })
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const restart = async () => {
    await end()
    end = await start()
  }
  return { url: url.href, restart }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(() => resolve(false), 10))
  })

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
