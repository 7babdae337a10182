import { Command, CommanderError } from 'commander'
import { hidePasswords } from '../core/index.ts'
import { version } from '../version.ts'
import { contextOf, type ExitCode, type Run } from './command-context.ts'
import { adoptCommand } from './commands/adopt.ts'
import { adviseCommand } from './commands/advise.ts'
import { checkCommand } from './commands/check.ts'
import { completionCommand } from './commands/completion.ts'
import { consoleCommand } from './commands/console.ts'
import { deployCommand } from './commands/deploy.ts'
import { driftCommand } from './commands/drift.ts'
import { eventsCommand } from './commands/events.ts'
import { getCommand } from './commands/get.ts'
import { initCommand } from './commands/init.ts'
import { metadataCommand } from './commands/metadata.ts'
import { applyCommand } from './commands/metadata-apply.ts'
import { migrateCommand } from './commands/migrate.ts'
import { ownerCommand } from './commands/owner.ts'
import { planCommand } from './commands/plan.ts'
import { testCommand } from './commands/test.ts'
import { tokenCommand } from './commands/token.ts'
import { usageCommand } from './commands/usage.ts'
import { versionCommand } from './commands/version.ts'
import { lineOf } from './error-line.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Runs `svc` with its arguments (without those of Node) and returns the exit code. Whatever goes wrong is one line on
 * stderr: what it was and what to do.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0
  const guard = async (work: () => Promise<ExitCode>) => {
    try {
      exitCode = (await work()) ?? 0
    } catch (error) {
      exitCode = terminal.signal.aborted ? 130 : 1
      say(terminal.problems, `error: ${terminal.signal.aborted ? interrupted : hidePasswords(lineOf(error))}`)
    }
  }
  const run: Run = (command, work) =>
    command.action(() => guard(() => work(contextOf(command, terminal), command.opts(), ...command.args)))
  const program = programOf(terminal, run, guard)
  try {
    // of the program where it stands first: commands have an option of that name
    await program.parseAsync(args[0] === '--version' ? ['-v'] : [...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode
  }
  return exitCode
}

// a bulk and a replacement are stored whole or not at all, but which of both happened is not known here
const interrupted = 'interrupted; an apply under way was stored whole or not at all: `svc metadata diff` shows which'

function programOf(terminal: Terminal, run: Run, guard: (work: () => Promise<ExitCode>) => Promise<void>): Command {
  const program: Command = new Command('svc')
    .description('declares the metadata of a GraphQL engine')
    .version(version, '-v', 'the version of svc, as --version')
    .option('--project <folder>', 'the project folder, the one with config.yaml')
    .option('--envfile <file>', 'a file of environment variables (default: .env in the project folder)')
    .option('--endpoint <url>', 'the address of the engine (SVC_GRAPHQL_ENDPOINT)')
    .option('--admin-secret <secret>', 'the admin secret of the engine (SVC_GRAPHQL_ADMIN_SECRET)')
    .option('--token <token>', 'an access token in its place (SVC_GRAPHQL_TOKEN)')
    .option('--owner <name>', 'the name under which the engine keeps what the project declares (SVC_GRAPHQL_OWNER)')
    .option('--break-glass <reason>', 'change what others own although the engine protects it')
    .option('--no-color', 'no colours')
    .option('--insecure-skip-tls-verify', 'accept any certificate')
    .option('--certificate-authority <file>', 'certificates to trust')
    .addCommand(initCommand(terminal, guard))
    .addCommand(metadataCommand(run))
    .addCommand(planCommand(run))
    .addCommand(applyCommand(run))
    .addCommand(migrateCommand(run))
    .addCommand(deployCommand(run))
    .addCommand(testCommand(run))
    .addCommand(checkCommand(terminal, guard))
    .addCommand(adviseCommand(run))
    .addCommand(driftCommand(run))
    .addCommand(usageCommand(run))
    .addCommand(getCommand(run))
    .addCommand(eventsCommand(run))
    .addCommand(tokenCommand(run))
    .addCommand(ownerCommand(run))
    .addCommand(consoleCommand(run))
    .addCommand(adoptCommand(run))
    .addCommand(versionCommand(run))
    .addCommand(completionCommand(terminal, () => program))
  prepare(program, terminal)
  return program
}

/** Commander's output is printed where all output is, and does not end the process. */
function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void terminal.out.write(text),
    writeErr: (text) => void terminal.problems.write(text),
  })
  for (const one of command.commands) prepare(one, terminal)
}
