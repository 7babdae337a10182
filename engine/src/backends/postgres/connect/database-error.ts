import pg from 'pg'

/** The error that the server returned for a statement. */
export class StatementError extends pg.DatabaseError {
  /** Whether its parameters were bound, so that it may have read rows. */
  readonly isRunning: boolean

  constructor(message: string, length: number, isRunning: boolean) {
    super(message, length, 'error')
    this.isRunning = isRunning
  }
}

/** Returns an ErrorResponse, from its first field on, as the error that pg makes of it. */
export function databaseError(fields: Buffer, isRunning: boolean): StatementError {
  const texts = new Map<string, string>()
  for (let at = 0; at < fields.length && fields[at] !== 0; ) {
    const end = fields.indexOf(0, at + 1)
    texts.set(String.fromCharCode(fields[at] ?? 0), fields.toString('utf8', at + 1, end))
    at = end + 1
  }
  const error = new StatementError(texts.get('M') ?? '', fields.length, isRunning)
  for (const [key, letter] of keys) error[key] = texts.get(letter)
  // `S` is in the server's language
  error.severity = texts.get('V') ?? error.severity
  return error
}

/** Whether the server sends nothing more after the error. */
export const endsConnection = (error: Error): boolean =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')

const keys = [
  ['severity', 'S'],
  ['code', 'C'],
  ['detail', 'D'],
  ['hint', 'H'],
  ['position', 'P'],
  ['where', 'W'],
  ['schema', 's'],
  ['table', 't'],
  ['column', 'c'],
  ['dataType', 'd'],
  ['constraint', 'n'],
] as const
