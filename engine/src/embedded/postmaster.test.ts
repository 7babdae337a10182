import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { stopServer } from './postmaster.ts'

/** In a process of its own: a test runner keeps itself alive whatever it waits for. */
const STARTS = `
import { startPostmaster } from '${new URL('postmaster.ts', import.meta.url)}'
const directory = process.env.DIRECTORY
const programs = { initdb: 'false', postgres: process.env.POSTGRES, pgCtl: 'false' }
const cluster = { directory, log: directory + '/log', programs, user: null }
for (let starts = 0; starts < process.env.STARTS; starts++)
  await startPostmaster(cluster, {}).catch(({ message }) => console.log(message))
`

async function reportsOfStarts(t: TestContext, postgres: string, starts: number): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-postmaster-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const env = { ...process.env, DIRECTORY: directory, POSTGRES: postgres, STARTS: String(starts) }
  const args = ['--input-type=module', '--eval', STARTS]
  const run = promisify(execFile)(process.execPath, args, { env, timeout: 60_000 })
  return (await run).stdout.trimEnd().split('\n')
}

test('a server that ends at once is reported each time, also when nothing else keeps the process alive', async (t) => {
  // several at once: what can go wrong is a matter of who comes first
  for (const reported of await Promise.all(Array.from({ length: 4 }, () => reportsOfStarts(t, 'false', 300)))) {
    assert.equal(reported.length, 300)
    for (const line of reported) assert.match(line, /^PostgreSQL did not start: it ended without a word\. Its log is /)
  }
})

test('a server that cannot even be started is reported, and does not keep the process from ending', async (t) => {
  const reported = await reportsOfStarts(t, '/no/such/program', 1)
  assert.equal(reported.length, 1)
  assert.match(reported[0] ?? '', /^PostgreSQL did not start: spawn \/no\/such\/program ENOENT\. Its log is /)
})

const noPrograms = { initdb: 'false', postgres: 'false', pgCtl: 'false' }
const onUnix = { skip: process.platform === 'win32' ? 'signals' : false }

test('a server that is gone by the time it is asked to stop is stopped', onUnix, async (t) => {
  // the shell takes note of its child's end, as the system does of a server whose engine was killed
  const shell = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; wait'])
  const [server] = await once(createInterface(shell.stdout), 'line')
  const kill = process.kill.bind(process)
  const isThere = () => {
    try {
      return kill(Number(server), 0)
    } catch {
      return false
    }
  }
  const signals = t.mock.method(process, 'kill', (pid: number, signal?: string | number) => {
    if (signal === 'SIGINT') {
      kill(pid, 'SIGKILL')
      while (isThere());
    }
    return kill(pid, signal)
  })
  const cluster = { directory: '/', log: '/dev/null', programs: noPrograms, user: null }
  assert.equal(await stopServer(cluster, Number(server)), true)
  assert.ok(signals.mock.calls.some(({ error }) => error))
})
