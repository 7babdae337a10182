import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { CheckError } from './check-error.ts'
import { fileLimits } from './unsafe-files.ts'

/**
 * Writes what a project's folder contains at a git ref into a folder, and returns whether the ref has the project. Objects are read
 * one by one: nothing is checked out, so no hook, filter or external command of the repository runs, and nothing is fetched.
 * Links, hidden folders and files that are no part of a project are left out. Throws CheckError where there is no such ref.
 */
export async function writeGitTree(project: string, ref: string, into: string, signal: AbortSignal): Promise<boolean> {
  const git = (args: readonly string[], input = '') => runGit(project, args, input, signal)
  const prefix = (await git(['rev-parse', '--show-prefix'])).toString('utf8').replace(/\n$/, '')
  const commit = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]).catch(
    (cause) => {
      throw new CheckError(`there is no git ref ${ref} here: fetch it first (in CI: its whole history)`, cause)
    },
  )
  const listing = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit.toString('utf8').trim()]
  const entries = readEntries(
    (await git(prefix === '' ? listing : [...listing, '--', prefix])).toString('utf8'),
    prefix,
  )
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  if (entries.length > fileLimits.files || bytes > fileLimits.bytes)
    throw new CheckError(`the project has too many files at ${ref}: ${entries.length}, ${bytes} bytes`)
  let rest = await git(['cat-file', '--batch'], entries.map(({ id }) => `${id}\n`).join(''))
  for (const { path, size } of entries) {
    const begin = rest.indexOf('\n') + 1
    const file = join(into, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, rest.subarray(begin, begin + size))
    rest = rest.subarray(begin + size + 1)
  }
  return entries.length > 0
}

interface Entry {
  /** Of the object in git. */
  readonly id: string
  readonly size: number
  /** Below the project. */
  readonly path: string
}

/** Of `git ls-tree -l -z`: `100644 blob <id> <size>\t<path>`. */
function readEntries(listing: string, prefix: string): readonly Entry[] {
  return listing.split('\0').flatMap((line) => {
    const [, id, size, full] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? []
    if (id === undefined || full === undefined || !full.startsWith(prefix)) return []
    const path = full.slice(prefix.length)
    // git itself refuses `..` and `.git`, but not in trees that were made by hand
    const isOurs = path.split('/').every((step) => !/^\.|^node_modules$|[\\:]/.test(step) && step !== '')
    return isOurs && /\.(ya?ml|json|sql|graphql|gql|txt|md)$/i.test(path) ? [{ id, size: Number(size), path }] : []
  })
}

/** Neither the settings of the machine nor those that run programs. */
const settings = [
  'safe.directory=*',
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'protocol.allow=never',
]

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
}

function runGit(project: string, args: readonly string[], input: string, signal: AbortSignal): Promise<Buffer> {
  const options = settings.flatMap((setting) => ['-c', setting])
  const child = spawn('git', ['--no-pager', '-C', project, ...options, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  })
  const chunks: Buffer[] = []
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  child.stdin.on('error', () => {}) // it ended early, and says why
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new CheckError(`git cannot be run: ${cause.message}`, cause)))
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks))
      else reject(new CheckError(`git: ${complaint.trim().split('\n')[0]}`))
    })
  })
}
