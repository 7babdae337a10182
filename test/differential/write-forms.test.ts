import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { runWriteForms } from './run-write-forms.ts'

test('a write by one statement does and answers what it does by more, whatever looks at the session', async (t) => {
  const engine = await startEngine({}, t)
  const { done, refused, found } = await runWriteForms(engine, 41, 400)
  assert.equal(found, null, found ? `${found.what}\n${found.query}` : '')
  assert.ok(refused > 10 && refused < done / 2, `${done} done, ${refused} refused`)
})
