import { Command } from 'commander'
import { hidePasswords, readInconsistent } from '../../core/index.ts'
import type { Run } from '../command-context.ts'
import { type OutputFormat, outputOption } from '../output-format.ts'
import { inconsistentTable } from '../print-inconsistent.ts'

/** `svc metadata inconsistency list|drop|status` (reference/metadata-directory#commands). */
export function inconsistencyCommand(run: Run): Command {
  return new Command('inconsistency')
    .aliases(['inconsistencies', 'ic'])
    .description('list, drop or check inconsistent objects')
    .addCommand(listCommand(run))
    .addCommand(dropCommand(run))
    .addCommand(statusCommand(run))
}

function listCommand(run: Run): Command {
  const command = new Command('list')
    .alias('ls')
    .description('list inconsistent objects')
    .addOption(outputOption('json'))
  return run(command, async (context, { output }: { readonly output?: OutputFormat }) => {
    const objects = await readInconsistent(context.client())
    if (output) return context.print(hidePasswords(JSON.stringify(objects, null, 2)))
    context.print(objects.length === 0 ? 'metadata is consistent' : inconsistentTable(objects))
  })
}

function dropCommand(run: Run): Command {
  const command = new Command('drop').description('remove all inconsistent objects from the metadata')
  return run(command, async (context) => {
    await context.client().send({ type: 'drop_inconsistent_metadata', args: {} })
    context.print('all inconsistent objects removed from metadata')
  })
}

function statusCommand(run: Run): Command {
  const command = new Command('status').description('exit with 1 if the metadata is inconsistent')
  return run(command, async (context) => {
    const objects = await readInconsistent(context.client())
    if (objects.length === 0) return context.print('metadata is consistent')
    context.print("metadata is inconsistent, use 'svc metadata ic list' command to see the inconsistent objects")
    return 1
  })
}
