import { readFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { isRawNumber, type Json } from '@svc/schema'
import { includePattern } from './include.ts'
import { parseYaml } from './yaml-text.ts'

/**
 * The absolute paths of the YAML files that `file` includes, and of those that they include in turn. A listed file that
 * cannot be read or parsed is one of them and lists nothing. Empty where `file` does not exist. Throws DirectoryError
 * where `file` itself is no YAML: what it lists is unknown then.
 */
export function listedFiles(file: string, shown: string): ReadonlySet<string> {
  const listed = new Set<string>()
  const text = textOf(file)
  if (text !== null) collect(parseYaml(text, shown), file, listed)
  return listed
}

function collect(value: Json, from: string, listed: Set<string>): void {
  if (typeof value === 'string') {
    const path = includePattern.exec(value)?.[1]
    if (path !== undefined && /^\.ya?ml$/i.test(extname(path))) collectFile(resolve(dirname(from), path), listed)
  } else if (typeof value === 'object' && value !== null && !isRawNumber(value))
    for (const part of Object.values(value)) collect(part, from, listed)
}

function collectFile(file: string, listed: Set<string>): void {
  if (listed.has(file)) return
  listed.add(file)
  const text = textOf(file)
  if (text === null || !text.includes('!include')) return
  try {
    collect(parseYaml(text, file), file, listed)
  } catch {
    // what a broken file would list is not removed
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
