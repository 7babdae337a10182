import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { JsonObject } from '@svc/schema'
import { Command } from 'commander'
import { countChanges, planChanges, readLive } from '../../core/index.ts'
import { printYaml, writeMetadataTo } from '../../directory/index.ts'
import { type ChoiceFlags, choiceOf, withChoiceOptions } from '../choice-flags.ts'
import { clientOf } from '../command-context.ts'
import { ConfigError, type Flags, readConfig } from '../config.ts'
import { suggestProject } from '../suggest-project.ts'
import { say, type Terminal } from '../terminal.ts'

const defaultEndpoint = 'http://localhost:8080'

interface InitFlags extends Flags, ChoiceFlags {
  readonly fromDatabase?: boolean
}

/**
 * `svc init [directory]`: a project folder with config.yaml. It writes no metadata unless a database is requested: an apply of an
 * empty directory would take everything away that the engine has.
 */
export function initCommand(terminal: Terminal, run: (work: () => Promise<void>) => Promise<void>): Command {
  const command = withChoiceOptions(
    new Command('init')
      .description('make a project folder with a config.yaml')
      .argument('[directory]', 'the folder', '.')
      .option(
        '--from-database',
        'with metadata of the tables, views and functions of a database that the engine has as a source',
      ),
  )
  return command.action((directory: string) =>
    run(async () => {
      const flags = command.optsWithGlobals<InitFlags>()
      const folder = resolve(terminal.cwd, flags.project ?? directory)
      const file = join(folder, 'config.yaml')
      if (existsSync(file)) throw new ConfigError(`${relative(terminal.cwd, file)} is already there`)
      // before anything is written: the engine may not answer
      const read = flags.fromDatabase ? await fromDatabase(terminal, flags, folder) : null
      const config = {
        version: 3,
        // where the database was read: what the environment says is gone with the shell
        endpoint: read?.endpoint ?? flags.endpoint ?? defaultEndpoint,
        ...(flags.adminSecret === undefined ? {} : { admin_secret: flags.adminSecret }),
        metadata_directory: 'metadata',
      }
      await mkdir(join(folder, 'metadata'), { recursive: true })
      if (read) await writeMetadataTo(join(folder, 'metadata'), read.metadata)
      await writeFile(file, printYaml(config), { flag: 'wx' })
      say(terminal.out, `${relative(terminal.cwd, file)} is made`)
      say(
        terminal.out,
        read
          ? 'next: read metadata/, then `svc metadata apply`'
          : 'next: `svc metadata export` writes what the engine has into metadata/',
      )
    }),
  )
}

/**
 * What an engine has, with what is chosen of a database, and the engine's address. Says what that adds. Throws ClientError,
 * ConfigError, DirectoryError.
 */
async function fromDatabase(
  terminal: Terminal,
  flags: InitFlags,
  folder: string,
): Promise<{ readonly endpoint: string; readonly metadata: JsonObject }> {
  const project = existsSync(folder) ? folder : terminal.cwd
  const config = readConfig({ ...flags, project }, terminal.environment, terminal.cwd)
  const endpoint = config.endpoint ?? defaultEndpoint
  const client = clientOf({ ...config, endpoint }, terminal)
  const live = (await readLive(client)).document
  const choice = choiceOf(flags, terminal.cwd)
  const suggested = await suggestProject(client, { document: live, live, source: flags.source, choice })
  for (const line of suggested.leftOut) say(terminal.problems, line)
  say(terminal.problems, countChanges(planChanges(live, suggested.document).changes))
  return { endpoint, metadata: suggested.metadata }
}
