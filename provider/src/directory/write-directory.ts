import { mkdir, readdir, readFile, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
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
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return
  await mkdir(dirname(file), { recursive: true })
  // a reader, or the next run after Ctrl-C, finds the old file or the new one, never half of it
  const temporary = `${file}.${process.pid}.new`
  await writeFile(temporary, text)
  await rename(temporary, file)
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
