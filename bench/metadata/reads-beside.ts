import { Worker } from 'node:worker_threads'
import type { Engine } from '../../test/engine.ts'

/** 200 reads a second, by a thread of its own. */
export class ReadsBeside {
  readonly #worker: Worker

  constructor({ url, secret }: Engine, tables: number) {
    this.#worker = new Worker(new URL('queries-beside.ts', import.meta.url), {
      workerData: { url, secret, perSecond: 200, tables },
    })
  }

  /** Latencies since the last call, once there are so many and all that were sent before the call are answered. */
  take(atLeast = 0): Promise<readonly number[]> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.postMessage(atLeast)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
