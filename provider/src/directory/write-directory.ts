import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import type { JsonObject } from '@svc/schema'
import { DirectoryError } from './directory-error.ts'
import { directoryFiles } from './directory-files.ts'
import { printYaml } from './yaml-text.ts'

/**
 * Writes metadata as a directory, or as one file if the path ends in .json or .yaml
 * (reference/metadata-directory#commands). Files that already say the same stay untouched, each other one is replaced
 * whole; YAML files under databases/ that nothing refers to any more are removed last. Throws DirectoryError.
 */
export async function writeMetadataTo(path: string, metadata: JsonObject): Promise<void> {
  try {
    if (extname(path) === '.json') return await writeWhole(path, `${JSON.stringify(metadata, null, 2)}\n`)
    if (/^\.ya?ml$/.test(extname(path))) return await writeWhole(path, printYaml(metadata))
    const files = directoryFiles(metadata)
    for (const [file, text] of files) await writeWhole(join(path, file), text)
    await removeStale(join(path, 'databases'), new Set([...files.keys()].map((file) => join(path, file))))
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new DirectoryError(`cannot write ${relative(process.cwd(), at ?? path) || path}: ${code}`)
  }
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
function saysSo(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}

async function removeStale(folder: string, keep: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      await removeStale(path, keep)
      if ((await readdir(path)).length === 0) await rmdir(path)
    } else if (/\.ya?ml$/.test(entry.name) && !keep.has(path)) await unlink(path)
  }
}
