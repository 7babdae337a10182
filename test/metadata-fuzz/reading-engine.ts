/** An engine that only reads whole documents: what it says of one must be what the engine under test says. */
import assert from 'node:assert/strict'
import type { Answer } from '../engine.ts'
import { isUnserved, visible } from './compared.ts'
import { assertSameText, type FuzzEngine, type Stored, sorted } from './fuzz-engine.ts'
import type { Document } from './plain-document.ts'

export async function giveMetadata(engine: FuzzEngine, metadata: Document): Promise<Answer> {
  const args = { allow_inconsistent_metadata: true, metadata }
  const answer = await engine.metadata('replace_metadata', args, { version: 2 })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

export async function isInconsistent(engine: FuzzEngine, document: Document): Promise<boolean> {
  const { body } = await giveMetadata(engine, visible(document))
  return body.inconsistent_objects.length > 0
}

export async function compareStored(engine: FuzzEngine, stored: Stored): Promise<void> {
  const { body } = await giveMetadata(engine, stored.document)
  const exported = await engine.metadata('export_metadata', {})
  assertSameText(exported.text, stored.text, 'the export of a document that was read from this export')
  assert.deepEqual(
    sorted(body.inconsistent_objects),
    stored.inconsistent.filter(isUnserved),
    'inconsistent objects of the same document',
  )
}
