import { Command } from 'commander'
import type { Run } from '../command-context.ts'
import { applyCommand } from './metadata-apply.ts'
import { clearCommand } from './metadata-clear.ts'
import { diffCommand } from './metadata-diff.ts'
import { exportCommand } from './metadata-export.ts'
import { importFromCommand } from './metadata-import-from.ts'
import { inconsistencyCommand } from './metadata-inconsistency.ts'
import { reloadCommand } from './metadata-reload.ts'
import { suggestCommand } from './metadata-suggest.ts'

/** `svc metadata …` (reference/metadata-directory#commands). */
export function metadataCommand(run: Run): Command {
  const command = new Command('metadata').alias('md').description('work with the metadata of an engine')
  const parts = [
    exportCommand,
    applyCommand,
    diffCommand,
    reloadCommand,
    clearCommand,
    inconsistencyCommand,
    importFromCommand,
    suggestCommand,
  ]
  for (const part of parts) command.addCommand(part(run))
  return command
}
