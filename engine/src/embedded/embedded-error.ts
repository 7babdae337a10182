/** What keeps the embedded database from starting: `what` is wrong and, in the same line, what to do. Never shown with a stack. */
export class EmbeddedError extends Error {
  constructor(what: string, hint: string, cause?: unknown) {
    super(`${what} ${hint}`, { cause })
    this.name = 'EmbeddedError'
  }
}

/** Returns an error of the file system as one line about the data directory; other errors are returned unchanged. */
export function fromFileSystem(cause: unknown, directory: string): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause
  const elsewhere = 'or name another folder with SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY.'
  switch (cause.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedError(
        `There is no space left for the data directory ${directory}.`,
        'Free some and start again.',
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new EmbeddedError(
        `The data directory ${directory} is not writable.`,
        `Make it writable, ${elsewhere}`,
        cause,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedError(
        `The data directory ${directory} is not a folder.`,
        `Move the file away, ${elsewhere}`,
        cause,
      )
    default:
      return cause
  }
}
