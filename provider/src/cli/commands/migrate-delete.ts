import { Command } from 'commander'
import { DirectoryError } from '../../directory/index.ts'
import { deleteMigration, forgetVersions, readMigrations, readState, refuseOtherFiles } from '../../migrations/index.ts'
import type { Run } from '../command-context.ts'
import { type SourceFlag, sourceOf, versionOf } from './migration-arguments.ts'

/** `svc migrate delete` */
export function deleteCommand(run: Run): Command {
  const command = new Command('delete')
    .description('remove migrations: their files and that they were applied; databases stay as they are')
    .option('--version <version>', 'this one')
    .option('--all', 'all of the source')
    .option('--server', 'leave the files')
    .option('--force', 'needed to remove files')
  type DeleteFlags = SourceFlag & { readonly [K in 'all' | 'server' | 'force']?: boolean } & {
    readonly version?: string
  }
  return run(command, async ({ config, client, print }, flags: DeleteFlags) => {
    if ((flags.version === undefined) === (flags.all !== true)) throw new DirectoryError('give --version or --all')
    if (!flags.server && !flags.force) throw new DirectoryError('files would be removed: give --force, or --server')
    const source = sourceOf(flags) ?? 'default'
    const { applied } = await readState(client(), source)
    const isChosen = (version: string) => flags.version === undefined || version === versionOf(flags.version)
    const files = flags.server ? [] : await readMigrations(config.migrationsDirectory, source)
    const versions = [...applied].filter(isChosen)
    const removed = files.filter(({ version }) => isChosen(version))
    await refuseOtherFiles(removed)
    await forgetVersions(client(), source, versions)
    for (const one of removed) await deleteMigration(one)
    print(`${source}: ${removed.length} migrations removed, ${versions.length} no longer recorded as applied`)
  })
}
