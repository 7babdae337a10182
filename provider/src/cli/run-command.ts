import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command-context.ts'

/** Runs a command's work with its context; failures become a line on stderr and an exit code. */
export type Run = (command: Command, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>
