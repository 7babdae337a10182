import { relative } from 'node:path'
import { Command } from 'commander'
import { squashMigrations } from '../../migrations/index.ts'
import type { Run } from '../command-context.ts'
import { type SourceFlag, sourceOf, versionOf } from './migration-arguments.ts'

/** `svc migrate squash` */
export function squashCommand(run: Run): Command {
  const command = new Command('squash')
    .description('make one migration of several, which it replaces')
    .requiredOption('--from <version>', 'the first')
    .option('--to <version>', 'the last; the latest by default')
    .option('--name <name>', 'of the new one', 'squashed')
  return run(
    command,
    async (
      { config, terminal, print },
      flags: SourceFlag & { readonly from: string; readonly to?: string; readonly name: string },
    ) => {
      const { folder, squashed } = await squashMigrations(config.migrationsDirectory, sourceOf(flags) ?? 'default', {
        from: versionOf(flags.from),
        ...(flags.to !== undefined && { to: versionOf(flags.to) }),
        name: flags.name,
      })
      print(`${relative(terminal.cwd, folder)} stands for ${squashed.length} migrations`)
    },
  )
}
