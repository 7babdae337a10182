/**
 * A statement that provably never began, so that it may be sent again whatever it does: it was not written, or the
 * server refused it or ended the connection before it had bound its parameters. `cause`: what went wrong.
 */
export class NeverBegan extends Error {
  override readonly cause: Error

  constructor(cause: Error) {
    super(cause.message)
    this.cause = cause
  }
}

/** Whether the statement never began. */
export const neverBegan = (error: unknown): boolean => error instanceof NeverBegan
