import { runOnDatabase } from '../admin/run-on-database.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

/** A database in which worlds can be installed: connections made from now on find the extensions that they use. */
export async function createWorldDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const name = new URL(database.url).pathname.slice(1)
  await runOnDatabase(
    database.url,
    `CREATE SCHEMA extensions; CREATE EXTENSION citext SCHEMA extensions; CREATE EXTENSION ltree SCHEMA extensions;
     ALTER DATABASE "${name}" SET search_path = public, extensions`,
  )
  return database
}
