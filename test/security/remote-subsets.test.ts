/** What a role lacks of a remote schema, asked for in every way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { runRemoteSubsets } from './run-remote-subsets.ts'

test('of random parts of random remote schemas nothing is answered that a role lacks, and everything else is', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' } }, t)
  const { compared, cut, found } = await runRemoteSubsets(engine, 1, 400)
  assert.equal(found, null, JSON.stringify(found, null, 1))
  assert.ok(cut > 100, `${cut} of ${compared}`)
})
