import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command-context.ts'

/** Gives a command its work, which gets its context, flags and arguments; failures become a line on stderr and an exit code. */
export type Run = <Flags extends object>(
  command: Command,
  work: (context: CommandContext, flags: Flags, ...args: string[]) => Promise<ExitCode>,
) => Command
