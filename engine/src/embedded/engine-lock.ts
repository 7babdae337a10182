import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'
import { findProcess } from './running-process.ts'

type Holder = { readonly pid: number; readonly startedAt: string }

/**
 * Makes this process the only engine on a data directory; the returned function releases it. The lock of a killed
 * engine is taken over: it names process and start time, so a process id that was reused does not count.
 * @throws EmbeddedError that names the engine that holds it.
 */
export function lockDataDirectory(directory: string): () => void {
  const path = join(directory, 'engine.pid')
  const me = JSON.stringify(holderNow(process.pid))
  for (let attempts = 0; attempts < 10; attempts++) {
    if (create(path, me)) return () => rmSync(path, { force: true })
    const text = read(path)
    const holder = parseHolder(text)
    if (holder && isAlive(holder))
      throw new EmbeddedError(
        `The data directory ${directory} is in use by another engine (process ${holder.pid}).`,
        'Stop that one first, or name another folder with SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY.',
      )
    removeIfStill(path, text)
  }
  throw new EmbeddedError(
    `The lock ${path} changes hands too fast.`,
    'Several engines are starting on this data directory: start only one.',
  )
}

function holderNow(pid: number): Holder {
  return { pid, startedAt: findProcess(pid)?.startedAt ?? '' }
}

function isAlive(holder: Holder): boolean {
  return findProcess(holder.pid)?.startedAt === holder.startedAt
}

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return null
    return typeof value.pid === 'number' && typeof value.startedAt === 'string'
      ? { pid: value.pid, startedAt: value.startedAt }
      : null
  } catch {
    return null
  }
}

/** Removes a dead engine's lock, but not one that a third engine put in its place meanwhile. */
function removeIfStill(path: string, text: string): void {
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (read(aside) === text) rmSync(aside, { force: true })
  else renameSync(aside, path)
}
