import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { AnswerTooLarge } from '../../backend.ts'
import { openSource, plan } from './source.fixture.ts'

let url: string
before(async () => {
  url = (await createTestDatabase()).url
})

const repeated = plan(`SELECT repeat('x', ($1)::int)`, 1)

test('an answer of more bytes than it may have is refused without being read, by itself and among other answers', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 2 })
  const ask = (bytes: number) =>
    source.query(repeated, [String(bytes)], undefined, 100_000).then(({ length }) => length)
  const tooLarge = { bytes: 150_000_000 }
  assert.equal(await ask(100_000), 100_000)
  const before = process.resourceUsage().maxRSS
  await assert.rejects(ask(tooLarge.bytes), tooLarge)
  await assert.rejects(ask(100_001), AnswerTooLarge)
  assert.equal(await ask(10), 10)
  // on the connection that small statements share
  while ((await connections()).length < 2) await ask(1)
  for (let i = 1; i < 10; i++) assert.equal(await ask(i), i)
  const first = ask(1)
  const refused = assert.rejects(ask(tooLarge.bytes), tooLarge)
  assert.deepEqual(await Promise.all([first, ask(2), ask(3)]), [1, 2, 3])
  await refused
  assert.equal(await ask(4), 4)
  const grown = (process.resourceUsage().maxRSS - before) / 1000
  assert.ok(grown < 100, `${grown} MB`)
})
