import { readFile } from 'node:fs/promises'
import type { Json } from '@svc/schema'
import { DirectoryError } from './directory-error.ts'
import { shown } from './unused-files.ts'
import { parseYaml } from './yaml-text.ts'

/** The YAML of a file. Throws DirectoryError where it cannot be read. */
export async function parseYamlFile(path: string): Promise<Json> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DirectoryError(`cannot read ${shown(path)}: ${error.code}`)
  })
  return parseYaml(text, shown(path))
}
