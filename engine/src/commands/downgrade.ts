import { engineVersion, FatalError, type ServerConfig } from '../config/index.ts'
import { catalogueVersion, downgradeCatalogue } from '../metadata/index.ts'
import { withMetadataDatabase } from './metadata-database.ts'

/** What `downgrade` is to do, and the words that are left for the other flags. */
export interface DowngradeArguments {
  readonly to: number
  readonly dryRun: boolean
  readonly rest: readonly string[]
}

/** The catalogue of each released version. */
const catalogues: Readonly<Record<string, number>> = { 'v0.1.0': 4, [`v${engineVersion}`]: catalogueVersion }

/** `downgrade --to-catalog-version N | --to-vX.Y.Z [--dryRun]` (reference/server#commands). Throws FatalError. */
export function readDowngrade(words: readonly string[]): DowngradeArguments {
  let to: number | null = null
  let dryRun = false
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [name = '', inline] = splitAt(words[at] ?? '')
    if (name === '--dryRun' || name === '--dry-run') dryRun = true
    else if (name === '--to-catalog-version') to = Number(inline ?? words[++at])
    else if (/^--to-v\d/.test(name)) to = catalogueOf(name.slice('--to-'.length))
    else rest.push(words[at] ?? '')
  }
  if (to === null || !Number.isInteger(to))
    throw new FatalError('Fatal Error: downgrade needs --to-catalog-version NUMBER or --to-vX.Y.Z')
  return { to, dryRun, rest }
}

function catalogueOf(version: string): number {
  if (Object.hasOwn(catalogues, version)) return catalogues[version] ?? 0
  throw new FatalError(`Fatal Error: no version ${version} is known: ${Object.keys(catalogues).join(', ')}`)
}

function splitAt(word: string): readonly [string, string?] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** Takes the catalogue back to an older version, or says with what SQL. */
export async function downgrade(config: ServerConfig, { to, dryRun }: DowngradeArguments): Promise<string> {
  const sql = await withMetadataDatabase(config, (url) => downgradeCatalogue(url, to, dryRun))
  if (dryRun) return sql
  return sql === '' ? `the catalogue has version ${to} already` : `downgraded the catalogue to version ${to}`
}
