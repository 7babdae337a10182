import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../bench/graphql/contestants.ts'
import { createTestDatabase } from '../postgres.ts'

const program = fileURLToPath(new URL('../../engine/bin/svc-engine.js', import.meta.url))
const requests = 200

test('workers whose output is a file write their lines there themselves, each in one piece', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-workers-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { url } = await createTestDatabase()
  const port = await freePort()
  const log = join(folder, 'log')
  const file = openSync(log, 'w')
  const engine = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, 'serve', '--workers', '2'],
    {
      env: { PATH: process.env.PATH, SVC_GRAPHQL_DATABASE_URL: url, SVC_GRAPHQL_SERVER_PORT: String(port) },
      stdio: ['ignore', file, file],
    },
  )
  t.after(() => engine.kill('SIGKILL'))
  const ask = (i: number) =>
    fetch(`http://127.0.0.1:${port}/v1/graphql`, {
      method: 'POST',
      // another connection each time, so that both workers answer
      headers: { 'content-type': 'application/json', 'x-request-id': `asked-${i}`, connection: 'close' },
      // longer than what a pipe takes in one piece
      body: JSON.stringify({ query: `{ ${'x'.repeat(i * 50)} }` }),
    })
  while (
    await ask(0).then(
      () => false,
      () => engine.exitCode === null,
    )
  ) {}
  await Promise.all(Array.from({ length: requests }, (_, i) => ask(i + 1)))
  engine.kill('SIGTERM')
  await once(engine, 'exit')
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const asked = lines
    .map((line) => JSON.parse(line))
    .filter(({ type, detail }) => type === 'http-log' && detail.request_id !== 'asked-0')
    .map(({ detail }) => detail.request_id)
  assert.deepEqual(asked.sort(), Array.from({ length: requests }, (_, i) => `asked-${i + 1}`).sort())
})
