import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isRawNumber, type Json } from '@svc/schema'
import { DirectoryError } from './directory-error.ts'
import { parseYaml } from './yaml-text.ts'

/** Reads YAML files with what they include, inside one folder. */
export interface IncludeReader {
  /** The content of a file with every include resolved; `undefined` when it does not exist. */
  read(file: string): Json | undefined
  /** The file a value came from, for error messages. */
  fileOf(value: unknown): string | undefined
  /** Whether a file was read, also as text. */
  hasRead(file: string): boolean
}

/** For files that are not trusted: those of hidden folders and of links are refused too. */
export interface IncludeBounds {
  /** Of all files together, each counted as often as it is included, and as 4 KB at least. */
  readonly mostBytes: number
}

const leastBytes = 4096

/** `!include path` as a text; a tag is parsed to the same. */
export const includePattern = /^!include\s+(.+?)\s*$/

/**
 * `!include path` (reference/metadata-directory#commands): a path relative to the including file; `.yaml` and `.yml`
 * are parsed and may include further, anything else is text. A file outside `root` is refused: a checked-out project
 * must not read the machine.
 *
 * Files are read synchronously, which is several times as fast; no other client is served meanwhile.
 */
export function createIncludeReader(root: string, bounds: IncludeBounds | null): IncludeReader {
  let bytes = 0
  const origins = new WeakMap<object, string>()
  const seen = new Set<string>()
  // a folder is read once: it may contain thousands of files; not by names: many file systems take a and A for one
  const [realFolder, mayHoldLinks] = [oncePerPath(orItself), oncePerPath(holdsLinks)]
  const shown = (file: string) => relative(process.cwd(), file) || file

  function readText(file: string, includedFrom: string | null): string | undefined {
    seen.add(file)
    try {
      if (bounds) count(file, bounds)
      return readFileSync(file, 'utf8')
    } catch (error) {
      if (error instanceof DirectoryError) throw error
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' && includedFrom === null) return undefined
      if (code === 'ENOENT')
        throw new DirectoryError(`${shown(includedFrom ?? file)} includes ${shown(file)}, which does not exist`)
      if (code === 'EISDIR') throw new DirectoryError(`${shown(file)} is a folder where a file is expected`)
      throw new DirectoryError(`cannot read ${shown(file)}: ${code ?? String(error)}`)
    }
  }

  function count(file: string, { mostBytes }: IncludeBounds): void {
    const found = statSync(file)
    if (!found.isFile() && !found.isDirectory()) throw new DirectoryError(`${shown(file)} is no regular file`)
    bytes += Math.max(found.size, leastBytes)
    if (bytes > mostBytes)
      throw new DirectoryError(
        `${shown(file)}: files of metadata may have ${Math.floor(mostBytes / 2 ** 20)} MB in all`,
      )
  }

  function readYaml(file: string, chain: readonly string[]): Json | undefined {
    const text = readText(file, chain.at(-1) ?? null)
    if (text === undefined) return undefined
    const parsed = parseYaml(text, shown(file))
    const value = text.includes('!include') ? expand(parsed, file, [...chain, file], 0) : parsed
    if (typeof value === 'object' && value !== null) origins.set(value, file)
    return value
  }

  function include(path: string, from: string, chain: readonly string[]): Json {
    if (isAbsolute(path)) throw new DirectoryError(`${shown(from)} includes ${path}: give a path relative to that file`)
    const file = resolve(dirname(from), path)
    refuseOutside(file, from, path)
    if (chain.includes(file)) throw new DirectoryError(`${shown(from)} includes ${path}, which includes itself`)
    if (!/^\.ya?ml$/i.test(extname(file))) return readText(file, from) ?? ''
    return readYaml(file, chain) ?? null
  }

  function refuseOutside(file: string, from: string, path: string): void {
    const real = realPath(file)
    const realRoot = realFolder(root)
    const inside = (place: string, folder: string) => place.startsWith(folder.endsWith(sep) ? folder : folder + sep)
    const steps = relative(root, file).split(sep)
    if (
      bounds &&
      steps[0] !== '..' &&
      (steps.some((step) => /^\.|^node_modules$/.test(step)) || relative(realRoot, real) !== join(...steps))
    )
      throw new DirectoryError(`${shown(from)} includes ${path}, which is hidden or a link: neither is read here`)
    if (inside(file, root) && (real === file || inside(real, realRoot))) return
    throw new DirectoryError(
      `${shown(from)} includes ${path}, which is outside ${root}: files of a project are read only inside it`,
    )
  }

  /** Of what is not there, the path itself. */
  function realPath(file: string): string {
    const folder = dirname(file)
    return mayHoldLinks(folder) ? orItself(file) : join(realFolder(folder), basename(file))
  }

  function expand(value: Json, file: string, chain: readonly string[], depth: number): Json {
    if (depth > 500) throw new DirectoryError(`${shown(file)}: nested more than 500 levels deep`)
    if (typeof value === 'string') {
      const path = includePattern.exec(value)?.[1]
      return path === undefined ? value : include(path, file, chain)
    }
    if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
    if (Array.isArray(value)) return value.map((item: Json) => expand(item, file, chain, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, expand(part, file, chain, depth + 1)] as const),
    )
  }

  return {
    read: (file) => readYaml(join(file), []),
    hasRead: (file) => seen.has(file),
    fileOf: (value) => (typeof value === 'object' && value !== null ? origins.get(value) : undefined),
  }
}

/** A function that answers each path once, and then the same again. */
function oncePerPath<T extends string | boolean>(answer: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>()
  return (path) => {
    const found = known.get(path) ?? answer(path)
    known.set(path, found)
    return found
  }
}

function orItself(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function holdsLinks(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink())
  } catch {
    return true
  }
}
