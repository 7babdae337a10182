import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

export type RunningProcess = {
  readonly pid: number
  /** Distinguishes a process from a later one with the same number. Empty where the system does not say. */
  readonly startedAt: string
  readonly commandLine: string
  readonly workingDirectory: string
}

/** The process with this number; null when there is none, or only its remains. */
export function findProcess(pid: number): RunningProcess | null {
  if (!processExists(pid)) return null
  switch (process.platform) {
    case 'linux':
      return fromProc(pid)
    case 'win32':
      return { pid, startedAt: '', commandLine: '', workingDirectory: '' }
    default:
      return fromPs(pid)
  }
}

/** Whether the system knows the number, be it of the remains of a process. */
export function processExists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function fromProc(pid: number): RunningProcess | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // the second field is the program's name in brackets and may itself hold spaces and brackets
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return {
    pid,
    startedAt: fields[19] ?? '',
    commandLine: attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')),
    workingDirectory: attempt(() => readlinkSync(`/proc/${pid}/cwd`)),
  }
}

function fromPs(pid: number): RunningProcess | null {
  const ask = (column: string) => spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' })
  const state = ask('state')
  if (state.status !== 0 || state.stdout.startsWith('Z')) return null
  return { pid, startedAt: ask('lstart').stdout.trim(), commandLine: ask('args').stdout.trim(), workingDirectory: '' }
}

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
