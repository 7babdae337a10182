import type { MetadataDocument } from '@svc/schema'
import { readMetadataFrom } from '../directory/index.ts'
import type { CommandContext } from './command-context.ts'

/** The project's metadata, with a word on stderr about keys that are left out. Throws DirectoryError. */
export async function readProject({ config, note }: CommandContext): Promise<MetadataDocument> {
  return readNoted(config.metadataDirectory, config.project, note)
}

export async function readNoted(path: string, root: string, note: (text: string) => void): Promise<MetadataDocument> {
  const { document, ignored } = await readMetadataFrom(path, root)
  if (ignored.length > 0) note(`warning: metadata has no key ${ignored.join(', ')}: left out`)
  return document
}
