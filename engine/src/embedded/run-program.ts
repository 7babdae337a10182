import { spawn } from 'node:child_process'
import type { DatabaseUser } from './database-user.ts'

export type ProgramResult = {
  /** null when it could not be started at all: `failure` says why. */
  readonly exitCode: number | null
  readonly failure: string | null
  /** Standard output and error, in the order they came. */
  readonly output: string
}

/**
 * The options every child is started with: the account of `user`, a working directory it can enter, no inherited PG*
 * settings.
 */
export function spawnOptions(user: DatabaseUser | null) {
  const { PATH = '', SystemRoot, TEMP } = process.env
  return {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    env: { PATH, LC_ALL: 'C', ...(SystemRoot && { SystemRoot }), ...(TEMP && { TEMP }) },
  }
}

/** Runs a program to its end as `user`. Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  user: DatabaseUser | null,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = ''
    const collect = (part: Buffer) => {
      output += part.toString()
    }
    const child = spawn(program, args, { ...spawnOptions(user), stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: null, failure: error.code ?? error.message, output }),
    )
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, failure: null, output }))
  })
}
