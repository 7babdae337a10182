import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CheckError } from '../check/index.ts'
import type { Terminal } from './terminal.ts'

const marker = 'SVC_RUNS_ALONE'

/** Whether this process was started by `runAlone`. */
export const isAlone = ({ environment }: Terminal): boolean => environment[marker] !== undefined

const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))

const mostMegabytes = 2048

/** Milliseconds for a process to end in good order. */
const grace = 5000

/**
 * Runs `svc` with arguments in a process for files that are not trusted: without the variables of the environment, with bounded
 * memory and time, in a temporary folder of its own that is removed. Returns its exit code. Throws CheckError where it did not
 * come to an end.
 */
export async function runAlone(terminal: Terminal, args: readonly string[], seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-check-'))
  try {
    // the account that PostgreSQL runs under in place of root passes through
    await chmod(folder, 0o711)
    const child = spawn(process.execPath, [`--max-old-space-size=${mostMegabytes}`, program, ...args], {
      cwd: terminal.cwd,
      env: environmentOf(terminal, folder),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    return await outcomeOf(child, terminal, seconds)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function environmentOf({ environment }: Terminal, folder: string): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  const inherited = ['PATH', 'SystemRoot', 'NO_COLOR'].flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    [marker]: '1',
    SVC_LAUNCHER_LIFELINE: '3',
    TMPDIR: folder,
    TEMP: folder,
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  }
}

function outcomeOf(child: ChildProcess, terminal: Terminal, seconds: number): Promise<number> {
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void terminal.out.write(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void terminal.problems.write(text))
  let late = false
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), grace).unref()
  }
  const timer = setTimeout(() => {
    late = true
    end()
  }, seconds * 1000)
  terminal.signal.addEventListener('abort', end, { once: true })
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new CheckError(`it cannot be run: ${cause.message}`, cause)))
    child.once('close', (code) => {
      clearTimeout(timer)
      terminal.signal.removeEventListener('abort', end)
      if (late) reject(new CheckError(`it took more than ${seconds} s (--time-limit)`))
      else if (code === null || code > 2)
        reject(new CheckError('it was cut off: its memory did not suffice, or it was killed'))
      else resolve(code)
    })
  })
}
