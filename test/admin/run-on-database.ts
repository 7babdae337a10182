import pg from 'pg'

/** Statements on a connection of their own; the rows of one. */
export async function runOnDatabase(
  url: string,
  statements: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statements)).rows
  } finally {
    await client.end()
  }
}
