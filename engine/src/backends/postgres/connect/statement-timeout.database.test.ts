import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { administrator, openSource, plan, refusal, untilShared } from './source.fixture.ts'

let url: string
before(async () => {
  url = (await createTestDatabase()).url
})

const timedOut = { code: 'unexpected', status: 500, path: '$', message: 'database query error' }
/** Whatever it is given, or none. */
const sleepy = plan(`SELECT CASE $1 WHEN 'long' THEN pg_sleep(60)::text ELSE $1 END`, 1)

for (const [where, limited] of [
  ['the URL', async () => `${url}?options=${encodeURIComponent('-c statement_timeout=300')}`],
  [
    'keywords',
    async () => {
      const { username, password, hostname, port, pathname } = new URL(url)
      return `host=${hostname} port=${port} user=${username} password='${password}' dbname=${pathname.slice(1)} options='-c statement_timeout=300'`
    },
  ],
  [
    'the database',
    async () => {
      const { pathname } = new URL(url)
      await administrator(url)(`ALTER DATABASE ${pathname.slice(1)} SET statement_timeout = 300`)
      return url
    },
  ],
] as const)
  test(`a statement_timeout of ${where} ends a statement and no other one`, async (t) => {
    const { source } = await openSource(t, await limited(), { maxConnections: 2 })
    const ask = async (marks: readonly string[]) =>
      Promise.all(
        marks.map((mark) =>
          mark === 'long' ? refusal(source.query(sleepy, [mark])) : source.query(sleepy, [mark]).then(String),
        ),
      )
    // alone
    assert.deepEqual(await ask(['long', 'a', 'b']), [timedOut, 'a', 'b'])
    // on the connection that small statements share
    await untilShared(source, 2, () => source.query(sleepy, ['x']))
    for (const mark of ['c', 'd', 'e', 'f', 'g']) assert.deepEqual(await ask([mark]), [mark])
    assert.deepEqual(await ask(['h', 'long', 'i', 'j']), ['h', timedOut, 'i', 'j'])
    assert.deepEqual(await ask(['long', 'k', 'l']), [timedOut, 'k', 'l'])
  })
