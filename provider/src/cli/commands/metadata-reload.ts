import { isRecord } from '@svc/schema'
import { Command } from 'commander'
import { inconsistentObjects } from '../../core/index.ts'
import type { Run } from '../command-context.ts'
import { inconsistentTable } from '../print-inconsistent.ts'
import { whileWaiting } from '../terminal.ts'

/** `svc metadata reload`: the engine reads databases and remote schemas again. Inconsistency is no failure. */
export function reloadCommand(run: Run): Command {
  const command = new Command('reload').description('let the engine read databases and remote schemas again')
  return run(command, async (context) => {
    const args = { reload_remote_schemas: true, reload_sources: true }
    const { body } = await whileWaiting(
      context.terminal.problems,
      'reloading',
      context.client().send({ type: 'reload_metadata', args }),
    )
    context.print('Metadata reloaded')
    const inconsistent = isRecord(body) ? inconsistentObjects(body.inconsistent_objects) : []
    if (inconsistent.length === 0) return context.print('Metadata is consistent')
    context.note('warning: Metadata is inconsistent')
    context.note(inconsistentTable(inconsistent))
  })
}
