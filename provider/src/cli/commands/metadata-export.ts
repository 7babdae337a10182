import { relative } from 'node:path'
import { writeMetadata } from '@svc/schema'
import { Command } from 'commander'
import { readLive } from '../../core/index.ts'
import { writeMetadataTo } from '../../directory/index.ts'
import type { Run } from '../command-context.ts'
import { noteWritten, pruneText } from '../note-written.ts'
import { type OutputFormat, outputOption, printAs } from '../output-format.ts'

interface ExportFlags {
  readonly output?: OutputFormat
  readonly prune?: boolean
}

/** `svc metadata export`: what the engine has, into the project's directory; with -o only to stdout. */
export function exportCommand(run: Run): Command {
  const command = new Command('export')
    .description('write the metadata of the engine into the metadata directory')
    .addOption(outputOption('json', 'yaml'))
    .option('--prune', pruneText)
  return run(command, async (context, { output, prune }: ExportFlags) => {
    const live = await readLive(context.client())
    if (live.ignored.length > 0)
      context.note(`warning: this svc does not know ${live.ignored.join(', ')}: left out, the engine is newer`)
    const metadata = writeMetadata(live.document)
    if (output) return context.print(printAs(output, metadata))
    const { metadataDirectory } = context.config
    noteWritten(context, await writeMetadataTo(metadataDirectory, metadata, { prune: prune === true }))
    context.print('Metadata exported')
    context.note(
      context
        .paint(context.terminal.problems)
        .faint(`version ${live.resourceVersion} in ${relative(context.terminal.cwd, metadataDirectory)}`),
    )
  })
}
