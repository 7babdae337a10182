import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where packages put PostgreSQL's programs outside of PATH; `*` is one folder. */
const usualPlaces = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/libexec/postgresql*',
  '/usr/local/pgsql/bin',
  '/opt/homebrew/opt/libpq/bin',
  '/usr/local/opt/libpq/bin',
  '/Applications/Postgres.app/Contents/Versions/latest/bin',
]

/** The path of a program of PostgreSQL, that of the newest version where there are several; null when there is none. */
export function findProgram(name: string, path: string): string | null {
  const newestFirst = usualPlaces.flatMap((place) => foldersOf(place))
  const folders = [...newestFirst, ...path.split(delimiter).filter((folder) => folder !== '')]
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

function foldersOf(place: string): readonly string[] {
  const [before = '', after] = place.split('*')
  if (after === undefined) return [place]
  const cut = before.lastIndexOf('/')
  try {
    return readdirSync(before.slice(0, cut))
      .filter((entry) => entry.startsWith(before.slice(cut + 1)))
      .sort((a, b) => versionIn(b) - versionIn(a))
      .map((entry) => `${before.slice(0, cut)}/${entry}${after}`)
  } catch {
    return []
  }
}

const versionIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
