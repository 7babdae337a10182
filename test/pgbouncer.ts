/** Debian's PgBouncer in transaction mode in front of a database: `const pooler = await startPgBouncer(url, t)`. */
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

/** The same database by way of a pooler with that many connections to it. */
export async function startPgBouncer(databaseUrl: string, poolSize: number, t: WithAfter): Promise<string> {
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
`
  writeFileSync(join(directory, 'settings'), settings)
  writeFileSync(join(directory, 'users'), `"${url.username}" "${decodeURIComponent(url.password)}"\n`)
  // it refuses to run as root
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (account.uid)
    for (const name of ['.', 'settings', 'users']) chownSync(join(directory, name), account.uid, account.gid)
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
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(directory, { recursive: true, force: true })
  })
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${log}`)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
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
