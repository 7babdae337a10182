/** The audits of GraphQL over HTTP that the package graphql-http brings, against the real process. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { type Engine, startEngine } from '../engine.ts'

describe('GraphQL over HTTP', () => {
  let engine: Engine
  before(async () => {
    engine = await startEngine({ secret: null })
  })
  after(() => engine.stop())

  const audits = serverAudits({ url: () => `${engine.url}/v1/graphql`, fetchFn: fetch })
  /** `fetch` says text/plain of a body that says nothing, and such bodies are read, as the reference engine reads them. */
  const notHeld = ['9ABE']
  const binding = audits.filter(({ name }) => /^(MUST|SHOULD)\b/.test(name))

  test('there are as many audits as are known to be binding', () => {
    assert.equal(binding.length, 36)
  })

  for (const { id, name, fn } of binding)
    test(`${id}: ${name}`, async () => {
      const result = await fn()
      assert.equal(result.status, notHeld.includes(id) ? 'warn' : 'ok', 'reason' in result ? result.reason : '')
    })
})
