/** The short form of `npm run soak -- pulumi-slow-engine-plans`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parallelisms } from '../terraform/slow-engine-plans.ts'
import { withoutPulumi } from './requirements.ts'
import { previewOnSlowEngine } from './slow-engine-plans.ts'

test('a correct stack on a slow engine has no error of what is missing at the end, at any parallelism', {
  skip: withoutPulumi,
}, async (t) => {
  assert.equal(await previewOnSlowEngine(t, { runs: 1, seed: 1, longest: 700 }), parallelisms.length)
})
