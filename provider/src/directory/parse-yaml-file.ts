import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Json } from '@svc/schema'
import { DirectoryError } from './directory-error.ts'
import { parseYaml } from './yaml-text.ts'

/** The YAML of a file. Throws DirectoryError where it cannot be read. */
export async function parseYamlFile(path: string): Promise<Json> {
  const shown = relative(process.cwd(), path) || path
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DirectoryError(`cannot read ${shown}: ${error.code}`)
  })
  return parseYaml(text, shown)
}
