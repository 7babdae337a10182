import type { MetadataDocument } from '@svc/schema'
import {
  declaresAgain,
  exportLive,
  hashObjects,
  type LiveMetadata,
  liveOf,
  readLiveFor,
  withoutCommon,
} from '../core/index.ts'
import {
  DirectoryError,
  type ReadDirectory,
  readMetadataFiles,
  readMetadataFrom,
  type UnknownKey,
} from '../directory/index.ts'
import type { CommandContext } from './command-context.ts'
import { unusedFileText } from './note-written.ts'

/** The project's metadata, with a word on stderr about keys that are left out. Throws DirectoryError. */
export async function readProject({ config, note }: CommandContext): Promise<MetadataDocument> {
  return readNoted(config.metadataDirectory, config.project, note)
}

/** The same of any directory. */
export async function readNoted(path: string, root: string, note: (text: string) => void): Promise<MetadataDocument> {
  return noted(await readMetadataFrom(path, root), note)
}

/** What is left out: reported and left out, or an error. */
export type UnknownKeys = 'noted' | 'refused'

function noted({ document, ignored, unknown, unused }: ReadDirectory, note: (text: string) => void): MetadataDocument {
  for (const key of ignored) note(`warning: ${unknownKeyText(key)}: left out`)
  for (const key of unknown) note(`warning: ${unknownKeyText(key)}: kept as it is`)
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  return document
}

/** Throws DirectoryError. */
function strict({ document, ignored, unknown, unused }: ReadDirectory, note: (text: string) => void): MetadataDocument {
  for (const file of unused) note(`warning: ${unusedFileText(file)}`)
  const keys = [...ignored, ...unknown]
  if (keys.length === 0) return document
  const allowed = unknown.length === 0 ? 'leaves it out' : 'lets it pass'
  throw new DirectoryError(`${keys.map(unknownKeyText).join('; ')} (--allow-unknown-keys ${allowed})`)
}

const readers = { noted, refused: strict } as const

const unknownKeyText = ({ place, path, meant }: UnknownKey): string =>
  `${place}: metadata has no key ${path}${meant === null ? '' : `, did you mean "${meant}"?`}`

export interface ProjectAndLive {
  /** Without tables and functions that the engine has as they are; `live` is without them too. */
  readonly wanted: MetadataDocument
  readonly live: LiveMetadata
  /** The project with all of them. Throws DirectoryError. */
  whole(): Promise<MetadataDocument>
}

/**
 * The project and what the engine has, as far as they differ: what is the same in both is not read by the other's rules
 * again. What is wrong with the project is reported first. Throws DirectoryError, ClientError.
 */
export async function readProjectAndLive(context: CommandContext, unknown: UnknownKeys): Promise<ProjectAndLive> {
  const { config, note } = context
  const read = readers[unknown]
  const files = await readMetadataFiles(config.metadataDirectory, config.project)
  const hashed = hashObjects(files.json)
  const [found] = await Promise.allSettled([(async () => exportLive(context.client(), [...hashed.byHash.keys()]))()])
  const whole = async () => (await files.read()).document
  if (found.status === 'rejected') {
    read(await files.read(), note)
    throw found.reason
  }
  const client = context.client()
  const parts = withoutCommon(files.json, found.value.metadata, hashed)
  const live = liveOf(client, { ...found.value, metadata: parts.live })
  const part = await files.readPart(parts.wanted, live.document)
  if (part && !declaresAgain(part.document, parts.common)) {
    const wanted = read(part, note)
    return { wanted, live: await readLiveFor(client, wanted, live), whole }
  }
  const wanted = read(await files.read(), note)
  return { wanted, live: await readLiveFor(client, wanted), whole: async () => wanted }
}

/** The same, all of both. */
export async function readAllOfBoth(
  context: CommandContext,
  unknown: UnknownKeys,
): Promise<Pick<ProjectAndLive, 'wanted' | 'live'>> {
  const { config, note } = context
  const files = await readMetadataFiles(config.metadataDirectory, config.project)
  const wanted = readers[unknown](await files.read(), note)
  return { wanted, live: await readLiveFor(context.client(), wanted) }
}
