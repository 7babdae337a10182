import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryError, shown } from '../directory/index.ts'

/** `migrations/<source>/<version>_<name>/up.sql` and `down.sql`, as Hasura's command line has them. */
export interface Migration {
  /** Digits: milliseconds since 1970 where `create` made it. */
  readonly version: string
  readonly name: string
  readonly folder: string
  readonly up: string
  /** Null: it cannot be taken back. */
  readonly down: string | null
  /** The versions that it stands for, its own among them; empty where it was not squashed. */
  readonly squashes: readonly string[]
}

/** The sources that have migrations, `default` first. */
export async function sourcesOf(directory: string): Promise<readonly string[]> {
  const names = (await foldersOf(directory)).filter((name) => !name.startsWith('.'))
  return names.sort((a, b) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1))
}

/** The migrations of a source in the order of their versions. Throws DirectoryError. */
export async function readMigrations(directory: string, source: string): Promise<readonly Migration[]> {
  const folder = join(directory, source)
  const migrations: Migration[] = []
  for (const name of await foldersOf(folder)) migrations.push(await readMigration(join(folder, name), name))
  migrations.sort((a, b) => byVersion(a.version, b.version))
  migrations.forEach(({ version, folder: at }, i) => {
    const before = migrations[i - 1]
    if (before?.version === version)
      throw new DirectoryError(`${shown(before.folder)} and ${shown(at)} have the same version`)
  })
  return migrations
}

export const byVersion = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0)

const foldersOf = async (path: string): Promise<string[]> =>
  (await readdir(path, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

async function readMigration(folder: string, named: string): Promise<Migration> {
  const [, version, name = ''] = /^(\d{1,30})(?:_(.*))?$/s.exec(named) ?? []
  if (version === undefined)
    throw new DirectoryError(`${shown(folder)}: a migration is a folder <version>_<name>, its version of digits`)
  const text = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null)
  const up = await text('up.sql')
  if (up === null) throw new DirectoryError(`${shown(folder)} has no up.sql`)
  const squashed = /^-- svc: squashes ([\d ]+)$/m.exec(up)?.[1]
  const squashes = squashed === undefined ? [] : squashed.trim().split(/ +/)
  return { version: String(BigInt(version)), name, folder, up, down: await text('down.sql'), squashes }
}

export function refuseName(name: string): void {
  if (!/^[\w-]{1,200}$/.test(name)) throw new DirectoryError(`"${name}" is no name: letters, digits, _ and - make one`)
}

/** Writes both files. Throws DirectoryError where the version is there already. */
export async function createMigration(
  directory: string,
  source: string,
  { version, name, up, down }: Pick<Migration, 'version' | 'name' | 'up' | 'down'>,
): Promise<string> {
  refuseName(name)
  if ((await readMigrations(directory, source)).some((one) => one.version === version))
    throw new DirectoryError(`there is a migration of version ${version} already`)
  const folder = join(directory, source, `${version}_${name}`)
  await writeMigration(folder, up, down)
  return folder
}

export async function writeMigration(folder: string, up: string, down: string | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'up.sql'), up)
  if (down !== null) await writeFile(join(folder, 'down.sql'), down)
}

export const deleteMigration = ({ folder }: Migration): Promise<void> => rm(folder, { recursive: true })

/** Throws DirectoryError where folders that would be removed hold files that no command of ours wrote. */
export async function refuseOtherFiles(migrations: readonly Migration[]): Promise<void> {
  for (const { folder } of migrations) {
    const others = (await readdir(folder)).filter((name) => !['up.sql', 'down.sql'].includes(name)).sort()
    if (others.length > 0)
      throw new DirectoryError(`${shown(folder)} would be removed with ${others.join(', ')}: move that away first`)
  }
}
