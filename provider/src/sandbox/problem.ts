/** What is wrong with a project, as its sandbox has found. */
export interface Problem {
  readonly kind: 'migration' | 'seed' | 'metadata'
  /** The file it is in; null where that is not known. */
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

/** Why there is no sandbox: a line for people. */
export class SandboxError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'SandboxError'
  }
}
