import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { meantWord } from '@svc/schema'
import { actionsFile, actionsGraphqlFile, databasesFile, topFiles, versionFile } from './files.ts'

/** A file in a metadata directory that no command reads. */
export interface UnusedFile {
  /** Relative to the current folder. */
  readonly file: string
  /** The file that was probably meant. */
  readonly meant: string | null
  /** The file that would list it, relative to the current folder; null outside of databases/. */
  readonly listedIn: string | null
}

/** The files at the top of a directory, by their names. */
const topNames = [versionFile, actionsFile, actionsGraphqlFile, ...Object.values(topFiles).map(({ file }) => file)]

/**
 * The YAML files of a metadata directory, and the GraphQL files at its top, that are no files of the format and for which
 * `isUsed` (of an absolute path) is false. Without a word about them a misspelt name, or a table that is not listed, would
 * be lost.
 */
export function unusedFiles(folder: string, isUsed: (file: string) => boolean): readonly UnusedFile[] {
  const top = new Set([...topNames, databasesFile].map((name) => join(folder, name)))
  return filesIn(folder, /\.(ya?ml|graphql)$/)
    .filter((file) => !top.has(file) && !isUsed(file))
    .map((file) => describe(folder, file))
}

function describe(folder: string, file: string): UnusedFile {
  const name = relative(folder, file)
  const inDatabases = name.startsWith(`databases${sep}`)
  return {
    file: shown(file),
    meant: inDatabases ? null : meantWord(name, topNames),
    listedIn: inDatabases ? shown(join(folder, databasesFile)) : null,
  }
}

/** Files by absolute path, sorted. Folders that begin with a dot, and node_modules, belong to other tools. */
export function filesIn(folder: string, pattern: RegExp): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : filesIn(path, pattern)
    return pattern.test(entry.name) ? [path] : []
  })
}

export const shown = (path: string): string => relative(process.cwd(), path) || '.'
