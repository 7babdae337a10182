import { Argument, Command } from 'commander'
import { completionScript, type Shell, shells } from '../completion-script.ts'
import { say, type Terminal } from '../terminal.ts'

/** `svc completion SHELL`: a script to load in a shell's start file. */
export function completionCommand(terminal: Terminal, program: () => Command): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => say(terminal.out, completionScript(shell, program())))
}
