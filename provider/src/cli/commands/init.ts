import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { printYaml } from '../../directory/index.ts'
import { ConfigError, type Flags } from '../config.ts'
import { say, type Terminal } from '../terminal.ts'

const defaultEndpoint = 'http://localhost:8080'

/**
 * `svc init [directory]`: a project folder with config.yaml. It writes no metadata: an apply of an empty directory
 * would take everything away that the engine has.
 */
export function initCommand(terminal: Terminal, run: (work: () => Promise<void>) => Promise<void>): Command {
  const command = new Command('init')
    .description('make a project folder with a config.yaml')
    .argument('[directory]', 'the folder', '.')
  return command.action((directory: string) =>
    run(async () => {
      const flags = command.optsWithGlobals<Flags>()
      const folder = resolve(terminal.cwd, flags.project ?? directory)
      const file = join(folder, 'config.yaml')
      if (existsSync(file)) throw new ConfigError(`${relative(terminal.cwd, file)} is already there`)
      const config = {
        version: 3,
        endpoint: flags.endpoint ?? defaultEndpoint,
        ...(flags.adminSecret === undefined ? {} : { admin_secret: flags.adminSecret }),
        metadata_directory: 'metadata',
      }
      await mkdir(join(folder, 'metadata'), { recursive: true })
      await writeFile(file, printYaml(config), { flag: 'wx' })
      say(terminal.out, `${relative(terminal.cwd, file)} is made`)
      say(terminal.out, 'next: `svc metadata export` writes what the engine has into metadata/')
    }),
  )
}
