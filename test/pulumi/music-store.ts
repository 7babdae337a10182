/** The music store of examples/: an engine over its tables, and how its metadata compares. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { loadMusicStore } from '../../examples/music-store/load.ts'
import { readMetadataFrom } from '../../provider/src/index.ts'
import {
  diffDocuments,
  keyedObject,
  type MetadataDocument,
  objectName,
  readMetadata,
  writeMetadata,
} from '../../schema/src/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

export const example = (name: string) => fileURLToPath(new URL(`../../examples/music-store/${name}`, import.meta.url))

export async function startStore(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await loadMusicStore(client).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

/** What the engine's metadata has that the directory of the example does not say, and the reverse. */
export async function differencesOf(engine: Engine): Promise<readonly string[]> {
  const wanted = documentFrom(writeMetadata((await readMetadataFrom(example('metadata'))).document))
  const there = documentFrom((await engine.metadata('export_metadata', {})).body)
  return diffDocuments(there, wanted).map(
    ({ change, address, new: now }) => `${change} ${objectName(keyedObject(now ? wanted : there, address)).name}`,
  )
}

/** The order of a permission's columns says nothing. */
function documentFrom(metadata: unknown): MetadataDocument {
  const read = readMetadata(
    JSON.parse(JSON.stringify(metadata), (key, json) =>
      key === 'columns' && Array.isArray(json) ? json.toSorted() : json,
    ),
  )
  assert.ok(read.ok)
  return read.document
}
