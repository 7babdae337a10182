import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryError } from '../directory/index.ts'
import {
  byVersion,
  deleteMigration,
  type Migration,
  readMigrations,
  refuseName,
  refuseOtherFiles,
  writeMigration,
} from './migration-files.ts'

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
  refuseName(name)
  const chosen = (await readMigrations(directory, source)).filter(
    ({ version }) => byVersion(version, from) >= 0 && (to === undefined || byVersion(version, to) <= 0),
  )
  const last = chosen.at(-1)
  if (!last || chosen.length < 2)
    throw new DirectoryError('nothing to squash: there are fewer than two such migrations')
  const separate = chosen.find(({ up, down }) => /^-- svc: no transaction$/m.test(`${up}\n${down ?? ''}`))
  if (separate)
    throw new DirectoryError(`${separate.version}_${separate.name} runs outside of a transaction and stays alone`)
  await refuseOtherFiles(chosen)
  const section = (one: Migration, text: string) => `-- ${one.version}_${one.name}\n${text.trim()}\n;\n`
  const versions = chosen.flatMap(({ version, squashes }) => [...squashes.filter((one) => one !== version), version])
  const up = [`-- svc: squashes ${versions.join(' ')}\n`, ...chosen.map((one) => section(one, withoutHeader(one.up)))]
  const down = chosen.every((one) => one.down !== null)
    ? [...chosen].reverse().map((one) => section(one, one.down ?? ''))
    : null
  const folder = join(directory, source, `${last.version}_${name}`)
  // whole before the first of them is removed: whatever ends the command, their SQL is there
  const complete = join(directory, `.squashed-${process.pid}`)
  await writeMigration(complete, up.join('\n'), down?.join('\n') ?? null)
  for (const one of chosen) await deleteMigration(one)
  await rename(complete, folder)
  return { folder, squashed: chosen }
}

const withoutHeader = (text: string) => text.replace(/^-- svc: squashes [\d ]+\n/m, '')
