import assert from 'node:assert/strict'
import { startEngine } from '../engine.ts'
import { assertSameText, type FuzzEngine, readStored, type Stored } from './fuzz-engine.ts'
import { servedSchema } from './served-schema.ts'

/** Starts a new engine on the same catalogue: it exports and serves the same. */
export async function compareWithStart(one: FuzzEngine, expected: Stored): Promise<void> {
  const fresh = await startEngine({ databaseUrl: one.databaseUrl, env: one.env })
  try {
    const metadata: FuzzEngine['metadata'] = (type, args, more = {}) => fresh.metadata(type, args, more)
    let stored = await readStored(metadata)
    // a start waits for a remote schema for half a second, and asks again meanwhile
    while (stored.inconsistent.some(({ message }) => message === 'the remote schema has not been read'))
      stored = await readStored(metadata)
    assertSameText(stored.text, expected.text, 'an engine that starts now exports the same')
    assert.deepEqual(stored, expected, 'an engine that starts now has the same metadata')
    assert.deepEqual(await servedSchema(one.engine), await servedSchema(fresh), 'and serves the same')
  } finally {
    await fresh.stop()
  }
}
