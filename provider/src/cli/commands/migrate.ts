import { Command, Option } from 'commander'
import type { Run } from '../command-context.ts'
import { applyCommand } from './migrate-apply.ts'
import { createCommand } from './migrate-create.ts'
import { deleteCommand } from './migrate-delete.ts'
import { squashCommand } from './migrate-squash.ts'
import { statusCommand } from './migrate-status.ts'

const sourceOption = () =>
  new Option('--source <name>', 'the source whose database it is (also --database-name)').default(undefined)

/** `svc migrate …`: SQL in files, applied to the databases of sources through the engine. */
export function migrateCommand(run: Run): Command {
  const command = new Command('migrate').description('change the databases of sources by migrations in SQL')
  for (const part of [createCommand, statusCommand, applyCommand, squashCommand, deleteCommand])
    command.addCommand(part(run).addOption(sourceOption()).addOption(new Option('--database-name <name>').hideHelp()))
  return command
}
