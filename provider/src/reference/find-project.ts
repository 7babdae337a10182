import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type JsonObject, recordOf } from '@svc/schema'
import { DirectoryError, parseYamlFile, shown } from '../directory/index.ts'

/** Where a project of the reference has its parts. */
export interface ReferenceProject {
  /** Absolute: what includes may not leave, and whose files are all accounted for. Null where one file is all there is. */
  readonly folder: string | null
  /** The directory or the file with the metadata. */
  readonly metadata: string
  readonly migrations: string | null
  /** Keys of its config.yaml that this engine's has no counterpart for. */
  readonly leftOut: readonly string[]
}

/**
 * A file; or a folder with a config.yaml of version 1 to 3 next to `metadata/`, `metadata.yaml`, what `metadata_file` names, or
 * `migrations/metadata.yaml`; or a metadata directory. Throws DirectoryError.
 */
export async function findProject(path: string): Promise<ReferenceProject> {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw new DirectoryError(`there is no ${shown(path)}`)
  if (!kind.isDirectory()) return { folder: null, metadata: path, migrations: null, leftOut: [] }
  const configFile = join(path, 'config.yaml')
  const config = existsSync(configFile) ? recordOf(await parseYamlFile(configFile)) : {}
  const named = (key: string) => (typeof config[key] === 'string' ? resolve(path, config[key]) : undefined)
  const migrations = named('migrations_directory') ?? join(path, 'migrations')
  const candidates = [
    named('metadata_file'),
    named('metadata_directory'),
    ...(existsSync(join(path, 'version.yaml')) ? [path] : []),
    ...['metadata', 'metadata.yaml', 'metadata.yml', 'metadata.json'].map((name) => join(path, name)),
    ...['metadata.yaml', 'metadata.json'].map((name) => join(migrations, name)),
  ].filter((candidate) => candidate !== undefined)
  const metadata = candidates.find(holdsMetadata)
  if (metadata === undefined)
    throw new DirectoryError(
      `${shown(path)} has no metadata: neither ${[...new Set(candidates)].map(shown).join(' nor ')} is a file of metadata or a directory with a version.yaml`,
    )
  return { folder: resolve(path), metadata, migrations, leftOut: leftOutOf(config) }
}

const holdsMetadata = (path: string): boolean => {
  const kind = statSync(path, { throwIfNoEntry: false })
  return kind?.isDirectory() ? existsSync(join(path, 'version.yaml')) : kind !== undefined
}

/** `actions.handler_webhook_baseurl` and the like: of a command line that this one is not. */
function leftOutOf(config: JsonObject): readonly string[] {
  const known = /^(version|metadata_directory|metadata_file|migrations_directory)$/
  const why = (key: string) =>
    /^(endpoint|admin_secret|access_key|api_paths|insecure_skip_tls_verify|certificate_authority)$/.test(key)
      ? ': it is how the other engine is reached'
      : ''
  return Object.keys(config)
    .filter((key) => !known.test(key))
    .map((key) => `config.yaml: ${key} is left out${why(key)}`)
}

/** The folder whose files an import accounts for. */
export const rootOf = ({ folder, metadata }: ReferenceProject): string => folder ?? dirname(resolve(metadata))
