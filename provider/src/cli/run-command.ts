import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command-context.ts'

/** Sets the work of a command, which is called with its context, flags and arguments; failures become a line on stderr and an exit code. */
export type Run = <Flags extends object>(
  command: Command,
  work: (context: CommandContext, flags: Flags, ...args: string[]) => Promise<ExitCode>,
) => Command
