/** An error as plain data; made by `errorReport`. */
export interface ErrorReport {
  readonly message: string
  /** SQLSTATE, errno name or our own code. */
  readonly code: string | null
  readonly stack: string | null
}

/** Returns an error as plain data for an Observation, without what might be secret in URLs. */
export function errorReport(error: unknown): ErrorReport {
  if (!(error instanceof Error)) return { message: withoutPasswords(String(error)), code: null, stack: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  // node's "tried several addresses" error has an empty message
  const message =
    error.message === '' && error instanceof AggregateError
      ? error.errors.map((part) => (part instanceof Error ? part.message : String(part))).join('; ')
      : error.message
  return { message: withoutPasswords(message), code, stack: error.stack ? withoutPasswords(error.stack) : null }
}

/** Returns a text of another program without the passwords of URLs and of libpq's parameters that it may quote. */
export const withoutPasswords = (text: string): string =>
  text.replace(/(\w+:\/\/[^:@/\s]*):\S*@/g, '$1:***@').replace(/\b(password=)('[^']*'|[^&\s]*)/gi, '$1***')
