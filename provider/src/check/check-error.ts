/** Why a project could not be checked at all: a line for people. */
export class CheckError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'CheckError'
  }
}
