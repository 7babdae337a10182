import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { parse } from 'yaml'

/** The metadata JSON that a directory in config v3 form stands for (spec 01 §7), as far as the example uses it. */
export function readMetadataDirectory(directory: string): unknown {
  return {
    ...(parse(readFileSync(join(directory, 'version.yaml'), 'utf8')) as object),
    sources: readYaml(join(directory, 'databases/databases.yaml')),
  }
}

function readYaml(path: string): unknown {
  if (!existsSync(path)) return {}
  const text = readFileSync(path, 'utf8')
  return /^\.ya?ml$/.test(extname(path)) ? include(parse(text), dirname(path)) : text
}

function include(value: unknown, directory: string): unknown {
  if (Array.isArray(value)) return value.map((item) => include(item, directory))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, include(item, directory)]))
  if (typeof value === 'string' && value.startsWith('!include '))
    return readYaml(join(directory, value.slice('!include '.length).trim()))
  return value
}
