import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import type { JsonObject } from '@svc/schema'
import { DirectoryError } from './directory-error.ts'
import { directoryFiles } from './directory-files.ts'
import { databasesFile } from './files.ts'
import { listedFiles } from './listed-files.ts'
import { filesIn, shown, type UnusedFile, unusedFiles } from './unused-files.ts'
import { printYaml } from './yaml-text.ts'

export interface WriteOptions {
  /** Remove YAML files under databases/ that databases.yaml did not list, too. */
  readonly prune?: boolean
}

/** What a write did to files that the metadata has no place for. Paths are relative to the current folder. */
export interface WrittenDirectory {
  /** Files that are gone: databases.yaml had listed them, or they were pruned. */
  readonly removed: readonly string[]
  /** Files that were not listed and are replaced by what the metadata has, only with `prune`. */
  readonly replaced: readonly string[]
  /** Files that nothing refers to, untouched. */
  readonly unused: readonly UnusedFile[]
}

/**
 * Writes metadata as a directory, or as one file if the path ends in .json or .yaml
 * (reference/metadata-directory#commands). Files that already say the same are unchanged, each other one is replaced
 * whole. A YAML file under databases/ is removed, last, if databases.yaml listed it before and the metadata has no object
 * for it. One that was not listed is someone's work that was never applied: it stays, and where it stands in the place of
 * a file that has to be written, DirectoryError is thrown before anything is. Throws DirectoryError also for what cannot
 * be written.
 */
export async function writeMetadataTo(
  path: string,
  metadata: JsonObject,
  { prune = false }: WriteOptions = {},
): Promise<WrittenDirectory> {
  try {
    const nothing = { removed: [], replaced: [], unused: [] }
    if (extname(path) === '.json') {
      await writeWhole(path, `${JSON.stringify(metadata, null, 2)}\n`)
      return nothing
    }
    if (/^\.ya?ml$/.test(extname(path))) {
      await writeWhole(path, printYaml(metadata))
      return nothing
    }
    return await writeFolder(resolve(path), metadata, prune)
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new DirectoryError(`cannot write ${shown(at ?? path)}: ${code}`)
  }
}

async function writeFolder(folder: string, metadata: JsonObject, prune: boolean): Promise<WrittenDirectory> {
  const databases = join(folder, 'databases')
  const files = new Map([...directoryFiles(metadata)].map(([file, text]) => [join(folder, file), text]))
  const list = join(folder, databasesFile)
  const present = existsSync(databases) ? filesIn(databases, /\.ya?ml$/).filter((file) => file !== list) : []
  const listed = listedBefore(list, prune)
  const notListed = present.filter((file) => !listed.has(file))
  const replaced = notListed.filter((file) => !saysSo(file, files.get(file) ?? null))
  if (!prune && replaced.some((file) => files.has(file)))
    throw new DirectoryError(notListedMessage(replaced.filter((file) => files.has(file)).map(shown)))
  for (const [file, text] of files) await writeWhole(file, text)
  const removed = present.filter((file) => !files.has(file) && (prune || listed.has(file)))
  for (const file of removed) await removeFile(file, databases)
  return {
    removed: removed.map(shown),
    replaced: replaced.filter((file) => files.has(file)).map(shown),
    unused: unusedFiles(folder, (file) => files.has(file)),
  }
}

/** Throws DirectoryError where the list cannot be read, so that unlisted files are not known. */
function listedBefore(list: string, prune: boolean): ReadonlySet<string> {
  try {
    return listedFiles(list, shown(list))
  } catch (error) {
    if (prune) return new Set()
    throw error
  }
}

function notListedMessage(files: readonly string[]): string {
  const [is, it] = files.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${files.join(', ')} ${is} not listed in databases.yaml, and what the engine has would replace ${it}: list and apply ${it}, or move ${it} away, or give --prune`
}

async function writeWhole(file: string, text: string): Promise<void> {
  if (saysSo(file, text)) return
  await mkdir(dirname(file), { recursive: true })
  // a reader, or the next run after Ctrl-C, finds the old file or the new one, never half of it
  const temporary = `${file}.${process.pid}.new`
  await writeFile(temporary, text)
  await rename(temporary, file)
}

/** Synchronously: of thousands of files most say so, and that is several times as fast. */
function saysSo(file: string, text: string | null): boolean {
  try {
    return readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}

/** Also the folders that are empty then, up to `databases`. */
async function removeFile(file: string, databases: string): Promise<void> {
  await unlink(file)
  for (let folder = dirname(file); folder !== databases; folder = dirname(folder)) {
    if ((await readdir(folder)).length > 0) return
    await rmdir(folder)
  }
}
