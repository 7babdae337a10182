import type { MetadataDocument } from '@svc/schema'
import { openSandbox, type Problem, type Sandbox } from '../sandbox/index.ts'
import type { CommandContext } from './command-context.ts'

/** A sandbox of the project. Throws SandboxError, DirectoryError, ClientError. */
export const openProject = (
  { config, terminal }: CommandContext,
  document: MetadataDocument,
  diskLimit: number,
): Promise<Sandbox> =>
  openSandbox(
    {
      document,
      migrations: config.migrationsDirectory,
      seeds: config.seedsDirectory,
      introspections: config.introspectionsDirectory,
    },
    terminal.signal,
    { diskLimit },
  )

export const problemText = ({ file, line, message }: Problem): string =>
  `${file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `}${message}`
