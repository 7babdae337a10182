import type { ErrorReport } from '../observe/index.ts'
import type { FromWorker, ToWorker, WorkerTask } from './messages.ts'
import type { Peers, Topic } from './peers.ts'

/** A worker's end of the channel to its parent. */
export class WorkerChannel implements Peers {
  readonly task: WorkerTask
  readonly #answers = new Map<Topic, (payload: unknown) => Promise<unknown>>()
  readonly #waiting = new Map<number, (message: Extract<ToWorker, { kind: 'counted' | 'answered' }>) => void>()
  #last = 0
  #stop: (signal: NodeJS.Signals | null) => void = () => {}
  #stopped: { readonly signal: NodeJS.Signals | null } | null = null

  constructor(task: WorkerTask) {
    this.task = task
    process.on('message', (message: ToWorker) => this.#receive(message))
  }

  get worker(): number {
    return this.task.worker
  }

  get count(): number {
    return this.task.of
  }

  admit(key: string, perMinute: number): Promise<boolean> {
    return this.#request((id) => ({ kind: 'count', id, key, perMinute })).then(
      (message) => message.kind === 'counted' && message.admitted,
    )
  }

  ask(topic: Topic, payload: unknown): Promise<readonly unknown[]> {
    return this.#request((id) => ({ kind: 'ask', id, topic, payload })).then((message) =>
      message.kind === 'answered' ? message.answers : [],
    )
  }

  onQuestion(topic: Topic, answer: (payload: unknown) => Promise<unknown>): void {
    this.#answers.set(topic, answer)
  }

  /** The parent wants this one to end; also when it did so before. */
  onStop(stop: (signal: NodeJS.Signals | null) => void): void {
    this.#stop = stop
    if (this.#stopped) stop(this.#stopped.signal)
  }

  serving(url: string): void {
    send({ kind: 'serving', url })
  }

  /** Why this one cannot start; resolves when the parent has it. */
  failed(message: string, error: ErrorReport | null): Promise<void> {
    return new Promise((resolve) => send({ kind: 'failed', message, error }, () => resolve()))
  }

  #request(message: (id: number) => FromWorker): Promise<Extract<ToWorker, { kind: 'counted' | 'answered' }>> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      send(message(id))
    })
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'counted':
      case 'answered':
        this.#waiting.get(message.id)?.(message)
        this.#waiting.delete(message.id)
        return
      case 'question':
        void this.#answer(message.topic, message.payload).then((answer) =>
          send({ kind: 'answer', id: message.id, answer }),
        )
        return
      case 'stop':
        this.#stopped = { signal: message.signal }
        this.#stop(message.signal)
        return
      case 'start':
        return
    }
  }

  async #answer(topic: Topic, payload: unknown): Promise<unknown> {
    try {
      return await this.#answers.get(topic)?.(payload)
    } catch {
      // whatever it is: the asker goes on without this one
      return undefined
    }
  }
}

/** A worker's first words: resolves with its channel once the parent has said what it is for. */
export function joinParent(): Promise<WorkerChannel> {
  return new Promise((resolve) => {
    const receive = (message: ToWorker) => {
      // the parent ends before it has said what this one is for: nothing was begun
      if (message.kind === 'stop') process.exit(0)
      if (message.kind !== 'start') return
      process.removeListener('message', receive)
      resolve(new WorkerChannel(message))
    }
    process.on('message', receive)
    send({ kind: 'waiting' })
  })
}

/** A parent that is gone is no one to talk to: node ends this process then. */
function send(message: FromWorker, sent: () => void = () => {}): void {
  if (process.send && process.connected) process.send(message, undefined, undefined, sent)
  else sent()
}
