/** States of other versions of a kind: one of version 2, whose core upgrades by answering what it was given. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '../../core/index.ts'
import { thingProvider } from '../../terraform/thing-provider.fixture.ts'
import { providerTypes } from '../types.ts'
import type { Properties } from '../values/struct.ts'
import { newRun, resourceType, storedValues, withVersion } from './context.ts'

const urn = 'urn:pulumi:test::project::svc:index:Thing::a'
const provider = thingProvider()
const context = {
  provider,
  types: providerTypes(provider.declaration),
  environment: {},
  report: async () => {},
  run: newRun(),
}
const type = resourceType(context, urn)
const properties = (values: Values): Properties => ({ values, secrets: null })

test('a state without a version is of version 0 and is upgraded, under the names that its attributes had', () => {
  const values = storedValues(context, type, properties({ name: 'a', formerName: 'b', __defaults: [] }), 'a')
  const [call, given] = provider.asked.at(-1) ?? []
  assert.equal(call, 'upgrade')
  const { kind, version, values: upgraded } = given as { kind: string; version: number; values: Values }
  assert.deepEqual([kind, version, upgraded.name, upgraded.former_name], ['Thing', 0, 'a', 'b'])
  assert.equal(values.name, 'a')
  assert.equal('former_name' in values, false)
})

test('what is written says its version, and is read again as it is', () => {
  const written = withVersion(type, properties({ name: 'a' }), undefined)
  assert.deepEqual(written.values, { name: 'a', __version: 2 })
  const before = provider.asked.length
  assert.equal(storedValues(context, type, written, 'a').name, 'a')
  assert.equal(provider.asked.length, before)
})

test('a state that a newer plugin wrote is refused', () => {
  const refusing = {
    ...provider,
    upgrade: () => ({
      state: null,
      diagnostics: [{ severity: 'error', summary: 'written by a newer provider', detail: '', path: [] } as const],
    }),
  }
  assert.throws(() => storedValues({ ...context, provider: refusing }, type, properties({ __version: 3 })), {
    message: 'written by a newer provider',
  })
})
