import pg from 'pg'
import { loadMusicStore } from '../../examples/music-store/load.ts'

/** Puts the music store into the database if that is empty. Answers how long it took, or null when nothing was done. */
export async function loadSampleData(url: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // what runs then fails by itself
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS used`,
    )
    if (rows[0]?.used) return null
    const startedAt = performance.now()
    await loadMusicStore(client)
    return Math.round(performance.now() - startedAt)
  } finally {
    await client.end()
  }
}
