/** An engine that serves the music store with the metadata of examples/music-store. */
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { loadMusicStore } from '../../examples/music-store/load.ts'
import { readMetadataFrom } from '../../provider/src/index.ts'
import { writeMetadata } from '../../schema/src/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

const example = fileURLToPath(new URL('../../examples/music-store', import.meta.url))

export const storeMetadata = async () => writeMetadata((await readMetadataFrom(`${example}/metadata`)).document)

/** With the metadata, or with none. */
export async function startStore(t: WithAfter, metadata: object | null): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await loadMusicStore(client).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  if (metadata) {
    const { status, text } = await engine.metadata('replace_metadata', metadata)
    if (status !== 200) throw new Error(text)
  }
  return engine
}

export const versionOf = async (engine: Engine): Promise<number> =>
  (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
