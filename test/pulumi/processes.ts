import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Process ids of the children of a process whose command line holds a text. */
export function childrenOf(parent: number, text: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid, ...args] = line.trim().split(/\s+/)
    return Number(ppid) === parent && args.join(' ').includes(text) ? [Number(pid)] : []
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves once there is no such process. */
export async function gone(pid: number): Promise<void> {
  const begin = performance.now()
  while (isRunning(pid)) {
    assert.ok(performance.now() - begin < 60_000, `process ${pid} still runs`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Starts a program from a process that ends when the program has printed a line, or at once; the id of the program's
 * process, which no process is left to end.
 */
export async function startOrphan(
  t: { after(cleanUp: () => void): void },
  file: string,
  {
    args = [],
    env = {},
    ends,
  }: { args?: readonly string[]; env?: Readonly<Record<string, string>>; ends: 'at once' | 'asked' },
): Promise<number> {
  const program = `const child = require('node:child_process')
      .spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio: ['ignore', 'pipe', 'ignore'] })
    const leave = () => process.stdout.write(child.pid + '\\n', () => process.kill(process.pid, 'SIGKILL'))
    ${ends === 'asked' ? "child.stdout.once('data', leave)" : 'leave()'}`
  const starter = spawn(process.execPath, ['-e', program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(starter, 'close')
  const [line] = await once(createInterface(starter.stdout), 'line')
  const pid = Number(line)
  t.after(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  await ended
  return pid
}
