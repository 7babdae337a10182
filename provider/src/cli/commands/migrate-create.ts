import { relative } from 'node:path'
import { Command } from 'commander'
import { DirectoryError } from '../../directory/index.ts'
import { createMigration, dumpSchemas, reconcileState, runSteps } from '../../migrations/index.ts'
import { namesOf } from '../choice-flags.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { type SourceFlag, sourceOf } from './migration-arguments.ts'

/** `svc migrate create NAME` */
export function createCommand(run: Run): Command {
  const command = new Command('create')
    .description('make the files of a migration')
    .argument('<name>', 'letters, digits, _ and -')
    .option('--up-sql <sql>', 'what it does')
    .option('--down-sql <sql>', 'what takes it back')
    .option('--from-server', 'what is in the database now, which has it applied')
    .option('--schema <names>', 'with --from-server, separated by commas', 'public')
  return run(command, async (context, flags: CreateFlags, name) => {
    const { config, terminal, print } = context
    const source = sourceOf(flags) ?? 'default'
    const version = String(Date.now())
    if (flags.fromServer) {
      const folder = await createFromServer(context, source, { version, name }, flags)
      return print(`${relative(terminal.cwd, folder)} is what ${source} has`)
    }
    const [up, down] = [lineOf(flags.upSql), lineOf(flags.downSql)]
    const folder = await createMigration(config.migrationsDirectory, source, { version, name, up, down })
    print(relative(terminal.cwd, folder))
  })
}

interface CreateFlags extends SourceFlag {
  readonly upSql?: string
  readonly downSql?: string
  readonly fromServer?: boolean
  readonly schema: string
}

/** The first migration of a database that was made by other means: nothing runs, it is recorded as applied. */
async function createFromServer(
  { client: clientOf, config }: CommandContext,
  source: string,
  named: { readonly version: string; readonly name: string },
  { schema, upSql, downSql }: CreateFlags,
): Promise<string> {
  if (upSql !== undefined || downSql !== undefined)
    throw new DirectoryError('--from-server writes what it does itself: leave out --up-sql and --down-sql')
  const client = clientOf()
  const up = await dumpSchemas(client, source, namesOf(schema).filter(Boolean))
  const folder = await createMigration(config.migrationsDirectory, source, { ...named, up, down: null })
  await reconcileState(client, source)
  const migration = { ...named, folder, up, down: null, squashes: [] }
  const { failed } = await runSteps(client, source, [{ migration, direction: 'up' }], true, () => {})
  if (failed) throw failed.error
  return folder
}

const lineOf = (sql: string | undefined) => (sql === undefined ? '' : `${sql}\n`)
