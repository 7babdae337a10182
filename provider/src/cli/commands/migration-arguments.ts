import { DirectoryError } from '../../directory/index.ts'
import { sourcesOf } from '../../migrations/index.ts'
import type { CommandContext } from '../command-context.ts'

/** Of every command on migrations. */
export interface SourceFlag {
  readonly source?: string
}

export const sourceOf = (flags: SourceFlag & { readonly databaseName?: string }) => flags.source ?? flags.databaseName

/** The source that is named, or all that have migrations. */
export async function chosenSources({ config }: CommandContext, flags: SourceFlag): Promise<readonly string[]> {
  const named = sourceOf(flags)
  if (named !== undefined) return [named]
  const all = await sourcesOf(config.migrationsDirectory)
  if (all.length > 0) return all
  throw new DirectoryError(`there are no migrations: \`svc migrate create NAME\` makes the first`)
}

/** Digits without leading zeros. Throws DirectoryError. */
export function versionOf(text: string): string {
  if (/^\d{1,30}$/.test(text)) return String(BigInt(text))
  throw new DirectoryError(`"${text}" is no version: expected digits`)
}
