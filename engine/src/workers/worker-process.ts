import cluster, { type Worker } from 'node:cluster'
import { fstatSync } from 'node:fs'
import { forwardLines } from './forward-lines.ts'
import type { FromWorker, ToWorker, WorkerTask } from './messages.ts'

/** How a worker ended: an exit code, or the signal that killed it. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** One worker process as its parent sees it. */
export class WorkerProcess {
  readonly #worker: Worker
  /** Once it is gone and all that it printed has been passed on. */
  readonly ended: Promise<WorkerEnd>
  readonly started = performance.now()

  /** Starts a process with the command line of this one. `receive` gets what it says. */
  constructor(task: WorkerTask, receive: (message: FromWorker) => void) {
    cluster.setupPrimary({ stdio: ['pipe', outputOf(1), outputOf(2), 'ipc'] })
    this.#worker = cluster.fork()
    const { process: child } = this.#worker
    if (child.stdout) forwardLines(child.stdout, process.stdout)
    if (child.stderr) forwardLines(child.stderr, process.stderr)
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'waiting') this.send({ kind: 'start', ...task })
      else receive(message)
    })
    // a message to one that has just ended
    this.#worker.on('error', () => {})
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  }

  get pid(): number {
    return this.#worker.process.pid ?? 0
  }

  send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message)
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }
}

/**
 * Where a worker writes what this process's `descriptor` is for: to the same file, where each write is one piece; else to this
 * process, which passes whole lines on. That costs 4 µs of CPU a request.
 */
function outputOf(descriptor: 1 | 2): 'pipe' | number {
  return process.platform !== 'win32' && fstatSync(descriptor).isFile() ? descriptor : 'pipe'
}
