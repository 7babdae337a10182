/** What keeps the engine from starting: shown as one line, never with a stack; the process exits with 1. */
export class FatalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FatalError'
  }
}
