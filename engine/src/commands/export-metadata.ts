import { writeMetadata } from '@svc/schema'
import type { ServerConfig } from '../config/index.ts'
import { readCatalogue } from '../metadata/index.ts'
import { withMetadataDatabase } from './metadata-database.ts'

/** `export` (reference/server#commands): the metadata as JSON. */
export async function exportMetadata(config: ServerConfig): Promise<string> {
  return withMetadataDatabase(config, async (url) => JSON.stringify(writeMetadata(await readCatalogue(url)), null, 2))
}
