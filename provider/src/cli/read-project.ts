import type { MetadataDocument } from '@svc/schema'
import { type LiveMetadata, readLive, readLiveBeside } from '../core/index.ts'
import { DirectoryError, readMetadataFrom, type UnknownKey, type UnusedFile } from '../directory/index.ts'
import type { CommandContext } from './command-context.ts'

/** The project's metadata, with a word on stderr about keys that are left out. Throws DirectoryError. */
export async function readProject(
  { config, note }: CommandContext,
  expected: MetadataDocument | null = null,
): Promise<MetadataDocument> {
  return readNoted(config.metadataDirectory, config.project, note, expected)
}

/** `expected`: what is as there is not read again. */
export async function readNoted(
  path: string,
  root: string,
  note: (text: string) => void,
  expected: MetadataDocument | null = null,
): Promise<MetadataDocument> {
  const { document, ignored, unused } = await readMetadataFrom(path, root, expected)
  for (const key of ignored) note(`warning: ${unknownKeyText(key)}: left out`)
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  return document
}

const unknownKeyText = ({ place, path, meant }: UnknownKey): string =>
  `${place}: metadata has no key ${path}${meant === null ? '' : `, did you mean "${meant}"?`}`

const unusedFileText = ({ file, meant }: UnusedFile): string =>
  `${file} is no file of a metadata directory, and none includes it${meant === null ? '' : `, did you mean ${meant}?`}`

/** The same, where what would be left out is an error. Throws DirectoryError. */
export async function readProjectStrictly(
  { config, note }: CommandContext,
  expected: MetadataDocument | null = null,
): Promise<MetadataDocument> {
  const { document, ignored, unused } = await readMetadataFrom(config.metadataDirectory, config.project, expected)
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  if (ignored.length === 0) return document
  throw new DirectoryError(`${ignored.map(unknownKeyText).join('; ')} (--allow-unknown-keys leaves it out)`)
}

/**
 * The project with what the engine has: what is the same in both is read once. What is wrong with the project is reported
 * first. Throws DirectoryError, ClientError.
 */
export async function readBesideLive(
  context: CommandContext,
  read: (context: CommandContext, expected: MetadataDocument | null) => Promise<MetadataDocument>,
): Promise<{ readonly wanted: MetadataDocument; readonly live: LiveMetadata }> {
  const [found] = await Promise.allSettled([(async () => readLive(context.client()))()])
  const wanted = await read(context, found.status === 'fulfilled' ? found.value.document : null)
  if (found.status === 'rejected') throw found.reason
  return { wanted, live: await readLiveBeside(context.client(), wanted, found.value) }
}
