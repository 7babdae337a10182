import { STATUS_CODES } from 'node:http'
import { isRecord } from '@svc/schema'

/** What an endpoint answered. */
export interface ApiAnswer {
  readonly status: number
  /** Parsed; its text where it is no JSON. */
  readonly json: unknown
}

/** An endpoint could not be reached, or answered with an error. It never has the request, whose headers hold a token. */
export class RequestFailed extends Error {
  readonly of: 'api' | 'token'
  /** Null: there was no answer. */
  readonly answer: ApiAnswer | null

  constructor(
    of: 'api' | 'token',
    answer: ApiAnswer | null,
    message = answer === null ? '' : statusText(answer.status),
  ) {
    super(message)
    this.of = of
    this.answer = answer
  }

  /** What the service says of it, where it says something in its own form. */
  get reason(): string | null {
    const error = isRecord(this.answer?.json) ? this.answer.json.error : undefined
    return isRecord(error) && typeof error.message === 'string' ? error.message : null
  }

  /** Whether the same may succeed later: the sheet's statuses, and connections that were lost. */
  get isTemporary(): boolean {
    return this.answer === null || temporary.has(this.answer.status)
  }
}

/** An answer has more bytes than it may. */
export class PageTooLarge extends Error {}

const temporary = new Set([429, 500, 503])

const statusText = (status: number): string =>
  `BigQuery HTTP request failed with status ${status} "${STATUS_CODES[status] ?? ''}"`
