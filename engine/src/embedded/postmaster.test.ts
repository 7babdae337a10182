import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'

/** In a process of its own: a test runner keeps itself alive whatever it waits for. */
const STARTS = `
import { startPostmaster } from '${new URL('postmaster.ts', import.meta.url)}'
const directory = process.env.DIRECTORY
const programs = { initdb: 'false', postgres: 'false', pgCtl: 'false' }
const cluster = { directory, log: directory + '/log', programs, user: null }
for (let starts = 0; starts < 300; starts++)
  await startPostmaster(cluster, {}).catch(({ message }) => console.log(message))
`

async function startsToldOf(t: TestContext): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-postmaster-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const env = { ...process.env, DIRECTORY: directory }
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', STARTS], { env })
  return (await run).stdout.trimEnd().split('\n')
}

test('a server that ends at once is told each time, also when nothing else keeps the process alive', async (t) => {
  // several at once: what can go wrong is a matter of who comes first
  for (const told of await Promise.all(Array.from({ length: 4 }, () => startsToldOf(t)))) {
    assert.equal(told.length, 300)
    for (const line of told) assert.match(line, /^PostgreSQL did not start: it ended without a word\. Its log is /)
  }
})
