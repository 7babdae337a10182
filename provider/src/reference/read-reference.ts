import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, type JsonObject, writeMetadata } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { DirectoryError, parseYamlFile, readMetadataFrom, type UnusedFile } from '../directory/index.ts'

/** What an import begins with: metadata that may have the reference's words, and keys that were left out. */
export interface ReferenceMetadata {
  readonly metadata: JsonObject
  readonly ignored: readonly string[]
  /** Files that nothing there refers to. */
  readonly unused: readonly UnusedFile[]
}

/** A metadata directory, a project with a config.yaml beside it, or one file. Throws DirectoryError. */
export async function readReferenceDirectory(path: string): Promise<ReferenceMetadata> {
  const directory = await metadataDirectoryOf(path)
  const { document, ignored, unused } = await readMetadataFrom(directory, path)
  return { metadata: writeMetadata(document), ignored: ignored.map((key) => key.path), unused }
}

async function metadataDirectoryOf(path: string): Promise<string> {
  if (await exists(join(path, 'version.yaml'))) return path
  if (!(await exists(join(path, 'config.yaml')))) return path
  const config = await parseYamlFile(join(path, 'config.yaml'))
  const named = isRecord(config) ? config.metadata_directory : undefined
  return join(path, typeof named === 'string' ? named : 'metadata')
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** From a running engine of the reference. Throws ClientError, DirectoryError for what is no metadata. */
export async function readReferenceEngine(client: MetadataClient): Promise<ReferenceMetadata> {
  const { body } = await client.send({ type: 'export_metadata', args: {} })
  if (!isRecord(body)) throw new DirectoryError(`${client.endpoint} answers export_metadata with no metadata`)
  return { metadata: body, ignored: [], unused: [] }
}
