import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { DirectoryError, shown } from '../directory/index.ts'

/** What the files of a project that is not trusted may come to. */
export const fileLimits = {
  files: 50_000,
  /** Of all files, and of the metadata with what it includes. */
  bytes: 256 * 2 ** 20,
  depth: 30,
} as const

/**
 * Throws DirectoryError for the first thing below these paths of a project that is not read: links, which may lead anywhere;
 * what is neither file nor folder; hidden folders, which contain files of other programs; more than `fileLimits`.
 */
export async function refuseUnsafe(project: string, paths: readonly string[]): Promise<void> {
  const total = { files: 0, bytes: 0 }
  for (const path of paths) {
    refuseOutside(project, path)
    for (let above = path; above.length > project.length; above = join(above, '..')) await refuseLink(above)
    await walk(path, total, 0)
  }
}

function refuseOutside(project: string, path: string): void {
  const steps = relative(project, path).split(sep)
  if (steps[0] === '..' || path === project || steps.some((step) => /^\.|^node_modules$/.test(step)))
    throw refusal(path, 'is read neither from outside the project nor from its hidden folders')
}

async function refuseLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found?.isSymbolicLink()) throw refusal(path, 'is a link, and links are not followed here')
}

async function walk(path: string, total: { files: number; bytes: number }, depth: number): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found) return
  if (depth > fileLimits.depth) throw refusal(path, `is more than ${fileLimits.depth} folders deep`)
  if (found.isDirectory()) {
    for (const name of await readdir(path)) await walk(join(path, name), total, depth + 1)
    return
  }
  if (found.isSymbolicLink()) throw refusal(path, 'is a link, and links are not followed here')
  if (!found.isFile()) throw refusal(path, 'is no regular file')
  total.files++
  total.bytes += found.size
  if (total.files > fileLimits.files) throw refusal(path, `is one of more than ${fileLimits.files} files`)
  if (total.bytes > fileLimits.bytes)
    throw refusal(path, `makes the files of the project more than ${fileLimits.bytes / 2 ** 20} MB`)
}

function refusal(path: string, problem: string): DirectoryError {
  const file = shown(path)
  return new DirectoryError(`${file}: ${problem}`, { file, line: null, problem })
}
