import type { MetadataDocument } from '@svc/schema'
import { type DriftedObject, driftFromDirectory } from '../../../provider/src/core/index.ts'
import { type ReadDirectory, readMetadataFrom } from '../../../provider/src/directory/index.ts'
import { driftFromState, readToolState } from '../../../provider/src/states/index.ts'
import { mount } from '../../standins/files.ts'
import { Unreadable } from './dropped-files.ts'

/** What differs between a user's files and an engine. */
export interface Drift {
  /** `the metadata directory shop/metadata` */
  readonly declaredIn: string
  readonly objects: readonly (DriftedObject & { readonly resource?: string })[]
  /** What was not compared, in sentences. */
  readonly notes: readonly string[]
}

/** Compares files with an engine's metadata. Throws Error with words for people: DirectoryError, StateError, Unreadable. */
export async function findDrift(files: ReadonlyMap<string, string>, live: MetadataDocument): Promise<Drift> {
  const folder = folderOf(files)
  if (folder !== null) return fromMetadata(files, folder, `the metadata directory ${shown(folder)}`, live)
  const names = [...files.keys()].filter((name) => /\.(?:json|tfstate|ya?ml)$/i.test(name))
  for (const name of names) {
    const state = readToolState(files.get(name) ?? '', shown(name))
    if (!state) continue
    const { tool, resources, unknown } = state
    const secrets = resources.reduce((count, { encrypted }) => count + encrypted.length, 0)
    return {
      declaredIn: `${tool === 'Terraform' ? 'the Terraform state' : 'the Pulumi stack'} ${shown(name)}`,
      objects: driftFromState(state, live),
      notes: [
        ...(resources.length === 0 ? ['No resource of an engine is in it.'] : []),
        ...(secrets > 0 ? [`Secrets that are encrypted in it are not compared: ${secrets}.`] : []),
        ...(unknown.length > 0 ? [`Not compared, since this page is too old for it: ${unknown.join(', ')}.`] : []),
        ...otherFiles(names, name),
      ],
    }
  }
  const [only] = names
  if (only === undefined)
    throw new Unreadable('There is no metadata directory, no state and no export among these files.')
  return fromMetadata(files, only, `the metadata ${shown(only)}`, live)
}

async function fromMetadata(
  files: ReadonlyMap<string, string>,
  path: string,
  declaredIn: string,
  live: MetadataDocument,
): Promise<Drift> {
  mount(files)
  try {
    const { document, ...others } = await readMetadataFrom(path, '/')
    return { declaredIn, objects: driftFromDirectory(document, { document: live }), notes: notesOf(others) }
  } finally {
    mount(new Map())
  }
}

const notesOf = ({ ignored, unused }: Omit<ReadDirectory, 'document'>): readonly string[] => [
  ...ignored.map(({ path, place }) => `${path} is not known and left out (${place}).`),
  ...unused.map(({ file, meant }) => `${file} is read by nothing${meant ? `: ${meant}?` : ''}.`),
]

const otherFiles = (names: readonly string[], read: string) =>
  names.length > 1 ? [`Of ${names.length} files ${shown(read)} alone was read.`] : []

/** The metadata directory among files: the highest that has a version.yaml. */
function folderOf(files: ReadonlyMap<string, string>): string | null {
  const found = [...files.keys()].filter((name) => name.endsWith('/version.yaml')).sort((a, b) => a.length - b.length)
  return found[0] === undefined ? null : found[0].slice(0, -'/version.yaml'.length) || '/'
}

const shown = (path: string) => path.slice(1)
