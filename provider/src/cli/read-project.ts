import type { MetadataDocument } from '@svc/schema'
import { DirectoryError, readMetadataFrom, type UnknownKey, type UnusedFile } from '../directory/index.ts'
import type { CommandContext } from './command-context.ts'

/** The project's metadata, with a word on stderr about keys that are left out. Throws DirectoryError. */
export async function readProject({ config, note }: CommandContext): Promise<MetadataDocument> {
  return readNoted(config.metadataDirectory, config.project, note)
}

export async function readNoted(path: string, root: string, note: (text: string) => void): Promise<MetadataDocument> {
  const { document, ignored, unused } = await readMetadataFrom(path, root)
  for (const key of ignored) note(`warning: ${unknownKeyText(key)}: left out`)
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  return document
}

const unknownKeyText = ({ place, path, meant }: UnknownKey): string =>
  `${place}: metadata has no key ${path}${meant === null ? '' : `, did you mean "${meant}"?`}`

const unusedFileText = ({ file, meant }: UnusedFile): string =>
  `${file} is no file of a metadata directory, and none includes it${meant === null ? '' : `, did you mean ${meant}?`}`

/** The same, where what would be left out is an error. Throws DirectoryError. */
export async function readProjectStrictly({ config, note }: CommandContext): Promise<MetadataDocument> {
  const { document, ignored, unused } = await readMetadataFrom(config.metadataDirectory, config.project)
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  if (ignored.length === 0) return document
  throw new DirectoryError(`${ignored.map(unknownKeyText).join('; ')} (--allow-unknown-keys leaves it out)`)
}
