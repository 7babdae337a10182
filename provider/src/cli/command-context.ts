import type { Command } from 'commander'
import { actorOf, createMetadataClient, type MetadataClient } from '../client/index.ts'
import { hidePasswords, type Paint } from '../core/index.ts'
import { version } from '../version.ts'
import { type Config, ConfigError, type Flags, readConfig } from './config.ts'
import { paintFor, say, type Terminal } from './terminal.ts'

/** What every command has at hand: where it writes, its settings, a client made when first requested. */
export interface CommandContext {
  readonly terminal: Terminal
  readonly config: Config
  client(): MetadataClient
  paint(output: Terminal['out']): Paint
  /** To stdout: what was requested, or that it is done. */
  print(text: string): void
  /** To stderr: progress, plans, what is worth knowing. */
  note(text: string): void
}

/** The exit code of a command; nothing returned is 0. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command that only succeeds returns nothing
export type ExitCode = number | void

/** Sets the work of a command, which is called with its context, flags and arguments; failures become a line on stderr and an exit code. */
export type Run = <Flags extends object>(
  command: Command,
  work: (context: CommandContext, flags: Flags, ...args: string[]) => Promise<ExitCode>,
) => Command

/** Throws ConfigError for what no setting can mean. */
export function contextOf(command: Command, terminal: Terminal): CommandContext {
  const flags = command.optsWithGlobals<Flags & { readonly color?: boolean }>()
  const config = readConfig(flags, terminal.environment, terminal.cwd)
  return {
    terminal,
    config,
    client: () => clientOf(config, terminal),
    paint: (output) => paintFor(output, terminal, flags.color !== false),
    print: (text) => say(terminal.out, text),
    note: (text) => say(terminal.problems, hidePasswords(text)),
  }
}

/** Throws ConfigError where no endpoint is set. */
export function clientOf(config: Config, terminal: Terminal): MetadataClient {
  if (config.endpoint === null)
    throw new ConfigError('no endpoint: give --endpoint, set SVC_GRAPHQL_ENDPOINT, or make a project with `svc init`')
  return createMetadataClient({
    ...config,
    endpoint: config.endpoint,
    actor: actorOf(terminal.environment),
    userAgent: `svc/${version}`,
    signal: terminal.signal,
  })
}
