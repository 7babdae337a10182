import { CheckError } from '../check/index.ts'
import { ClientError } from '../client/index.ts'
import { StateError } from '../core/index.ts'
import { DirectoryError } from '../directory/index.ts'
import { SandboxError } from '../sandbox/index.ts'
import { ConfigError } from './config.ts'

/** Returns an error as one line. Errors of ours are made to be read; of other errors it is the first line. */
export function lineOf(error: unknown): string {
  if (
    error instanceof ClientError ||
    error instanceof DirectoryError ||
    error instanceof ConfigError ||
    error instanceof StateError ||
    error instanceof SandboxError ||
    error instanceof CheckError
  )
    return error.message
  const text = error instanceof Error ? error.message : String(error)
  return `unexpected: ${text.split('\n')[0]}`
}
