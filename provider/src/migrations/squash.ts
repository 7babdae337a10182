import { DirectoryError } from '../directory/index.ts'
import { byVersion, createMigration, deleteMigration, type Migration, readMigrations } from './migration-files.ts'

export interface SquashOptions {
  readonly from: string
  /** The last one that is taken; all by default. */
  readonly to?: string
  readonly name: string
}

/**
 * Makes one migration of several, which it replaces. It has the version of the last, so that a source that has them all has
 * it too, and an empty one gets it in their place. Throws DirectoryError.
 */
export async function squashMigrations(
  directory: string,
  source: string,
  { from, to, name }: SquashOptions,
): Promise<{ readonly folder: string; readonly squashed: readonly Migration[] }> {
  const chosen = (await readMigrations(directory, source)).filter(
    ({ version }) => byVersion(version, from) >= 0 && (to === undefined || byVersion(version, to) <= 0),
  )
  const last = chosen.at(-1)
  if (!last || chosen.length < 2)
    throw new DirectoryError('nothing to squash: there are fewer than two such migrations')
  const apart = chosen.find(({ up, down }) => /^-- svc: no transaction$/m.test(`${up}\n${down ?? ''}`))
  if (apart) throw new DirectoryError(`${apart.version}_${apart.name} runs outside of a transaction and stays alone`)
  const section = (one: Migration, text: string) => `-- ${one.version}_${one.name}\n${text.trim()}\n;\n`
  const versions = chosen.flatMap(({ version, squashes }) => [...squashes.filter((one) => one !== version), version])
  const up = [`-- svc: squashes ${versions.join(' ')}\n`, ...chosen.map((one) => section(one, withoutHeader(one.up)))]
  const down = chosen.every((one) => one.down !== null)
    ? [...chosen].reverse().map((one) => section(one, one.down ?? ''))
    : null
  for (const one of chosen) await deleteMigration(one)
  const folder = await createMigration(directory, source, {
    version: last.version,
    name,
    up: up.join('\n'),
    down: down?.join('\n') ?? null,
  })
  return { folder, squashed: chosen }
}

const withoutHeader = (text: string) => text.replace(/^-- svc: squashes [\d ]+\n/m, '')
