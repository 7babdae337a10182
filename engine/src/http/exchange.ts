import type { Authentication, Headers } from '../auth/index.ts'

/** The client disconnected before its request was complete or answered: there is no one to answer. */
export class ClientGone extends Error {}

/** A request and the way to answer it, whichever connection it came over. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Lower-case names. */
  readonly headers: Headers
  readonly httpVersion: string
  readonly remoteAddress: string
  /** What is known of all requests that have the very same head; absent where nothing is cached by heads. */
  readonly kept?: KeptOfHead
  /** Aborted with ClientGone when the client left before it was answered. */
  readonly gone: AbortSignal
  /** All bytes of the request. Throws bad-request 413 beyond `limit`, ClientGone when they end too early. */
  body(limit: number): Buffer | Promise<Buffer>
  /** Answers; `length` are the bytes of `body`. */
  answer(status: number, headers: AnswerHeaders, body: readonly Buffer[], length: number): void
  /** Breaks the connection off. */
  destroy(): void
}

export interface KeptOfHead {
  /** The session, where it depends on nothing but the head. */
  authentication: Authentication | null
}

/** What a server does with its connections. */
export interface ConnectionPolicy {
  /** True once it stops: connections are not kept alive then. */
  readonly closing: () => boolean
  /** Of an idle connection. */
  readonly keepAliveMilliseconds: number
  /** For a client that reads nothing of a large answer. */
  readonly stallMilliseconds: number
  /** Such a client was disconnected; `status` is that of its answer. */
  readonly reportUntaken: (status: number) => void
}

/** Those of content, date and connection are the connection's own. A list is one header line per entry. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/** Answers of so many bytes are written in one piece with their headers: each write of its own may be a packet of its own. */
export const SMALL = 4096
/** Answers of more bytes remain in memory until the client has read them. */
export const LARGE = 65_536

/** Bytes as characters of latin1: node joins a text to the headers, where a buffer would be a second piece. */
export function latin1Of(body: readonly Buffer[]): string {
  let text = ''
  for (const part of body) text += part.toString('latin1')
  return text
}
