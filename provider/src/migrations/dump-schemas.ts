import type { MetadataClient } from '../client/index.ts'

/**
 * The schemas of a source's database as SQL that makes them, also where they are there already and empty. Owners and grants
 * are left out: they name roles that other servers lack. Throws ClientError.
 */
export async function dumpSchemas(client: MetadataClient, source: string, schemas: readonly string[]): Promise<string> {
  const chosen = schemas.flatMap((schema) => ['--schema', quotedPattern(schema)])
  const dump = await client.dump(source, ['--schema-only', '--no-owner', '--no-acl', ...chosen])
  const made = dump.replaceAll(/^CREATE SCHEMA (?!IF NOT EXISTS)/gm, 'CREATE SCHEMA IF NOT EXISTS ')
  // functions may name what is made after them
  return `SET LOCAL check_function_bodies = false;\n${made.trimEnd()}\n`
}

/** pg_dump takes patterns; in quotes nothing but the name is meant. */
const quotedPattern = (name: string): string => `"${name.replaceAll('"', '""')}"`
