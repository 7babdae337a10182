/** What the parent and its workers send each other: plain JSON over the channel that node opens to a child process. */
import type { ErrorReport } from '../observe/index.ts'
import type { Topic } from './peers.ts'

export type FromWorker =
  /** The first one: the worker requests its task. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string; readonly error: ErrorReport | null }
  | { readonly kind: 'count'; readonly id: number; readonly key: string; readonly perMinute: number }
  | { readonly kind: 'ask'; readonly id: number; readonly topic: Topic; readonly payload: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }

export type ToWorker =
  | ({ readonly kind: 'start' } & WorkerTask)
  | { readonly kind: 'counted'; readonly id: number; readonly admitted: boolean }
  | { readonly kind: 'answered'; readonly id: number; readonly answers: readonly unknown[] }
  | { readonly kind: 'question'; readonly id: number; readonly topic: Topic; readonly payload: unknown }
  | { readonly kind: 'stop'; readonly signal: NodeJS.Signals | null }

/** What one worker is for. */
export interface WorkerTask {
  /** From 1; a worker that replaces another has its number. */
  readonly worker: number
  readonly of: number
  /** The port to listen on; 0: the same free one as the other workers. */
  readonly port: number
  /** Of the database that the parent has started; null where the configuration names one. */
  readonly embeddedUrl: string | null
}
