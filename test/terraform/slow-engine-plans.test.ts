/** The short form of `npm run soak -- slow-engine-plans`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parallelisms, planOnSlowEngine } from './slow-engine-plans.ts'
import { withoutTerraform } from './terraform.ts'

test('a correct stack on a slow engine has no error of what is missing at the end, at any parallelism', {
  skip: withoutTerraform,
}, async (t) => {
  assert.equal(await planOnSlowEngine(t, { runs: 1, seed: 1, longest: 700 }), parallelisms.length)
})
