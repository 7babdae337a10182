import { Command } from 'commander'
import type { Run } from '../command-context.ts'
import { whileWaiting } from '../terminal.ts'

/** `svc metadata clear`: everything but the source `default` is forgotten. */
export function clearCommand(run: Run): Command {
  const command = new Command('clear').alias('reset').description('take all metadata away from the engine')
  return run(command, async (context) => {
    await whileWaiting(
      context.terminal.problems,
      'clearing',
      context.client().send({ type: 'clear_metadata', args: {} }),
    )
    context.print('Metadata cleared')
  })
}
