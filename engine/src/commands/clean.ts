import type { ServerConfig } from '../config/index.ts'
import { dropCatalogue } from '../metadata/index.ts'
import { withMetadataDatabase } from './metadata-database.ts'

/**
 * `clean` (reference/server#commands): the catalogue with all metadata and its history is gone; no source is touched.
 */
export async function clean(config: ServerConfig): Promise<string> {
  await withMetadataDatabase(config, dropCatalogue)
  return 'successfully cleaned graphql-engine related data'
}
