import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { emptyDocument, type MetadataDocument } from '@svc/schema'
import { Command } from 'commander'
import { countChanges, planChanges, readLive, renderChange } from '../../core/index.ts'
import { printYaml, writeMetadataTo } from '../../directory/index.ts'
import { type Database, isChoice, nameOf, readDatabase } from '../../suggest/index.ts'
import { type ChoiceFlags, choiceOf, withChoiceOptions } from '../choice-flags.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { noteWritten } from '../note-written.ts'
import { readProject } from '../read-project.ts'
import { sourceIn, suggestProject } from '../suggest-project.ts'

interface SuggestFlags extends ChoiceFlags {
  readonly all?: boolean
  readonly write?: boolean
}

/**
 * `svc metadata suggest`: the tables, views and functions of a source's database, by name; of those that are chosen metadata as
 * YAML, with the relationships of their foreign keys, or in the project's directory.
 */
export function suggestCommand(run: Run): Command {
  const command = withChoiceOptions(
    new Command('suggest').description(
      'list the tables, views and functions of a database, or make metadata of those that are chosen',
    ),
  )
    .option('--all', 'choose all of them')
    .option('--write', 'add it to the metadata directory')
  return run(command, suggest)
}

async function suggest(context: CommandContext, flags: SuggestFlags): Promise<void> {
  const client = context.client()
  const choice = choiceOf(flags, context.terminal.cwd)
  const live = (await readLive(client)).document
  if (!flags.all && !flags.write && !isChoice(choice)) {
    for (const line of linesOf(await readDatabase(client, sourceIn(live, flags.source)))) context.print(line)
    return context.note('next: `svc metadata suggest --include NAMES`, or --all, prints metadata; with --write it is added to the project') // biome-ignore format: one line
  }
  const { source } = flags
  const document = flags.write ? await declared(context) : emptyDocument
  const suggested = await suggestProject(client, { document, live, source, choice })
  for (const line of suggested.leftOut) context.note(line)
  if (!flags.write) {
    const { tables = [], functions } = sourceIn(suggested.document, source)
    return context.print(printYaml({ tables, ...(functions === undefined ? {} : { functions }) }).trimEnd())
  }
  const { changes } = planChanges(document, suggested.document)
  const paint = context.paint(context.terminal.out)
  if (changes.length === 0) return context.print('zero differences found')
  noteWritten(context, await writeMetadataTo(context.config.metadataDirectory, suggested.metadata))
  context.print(changes.map((change) => renderChange(change, paint)).join('\n'))
  context.note(`${countChanges(changes)}: \`svc metadata apply\``)
}

/** What the directory has; a folder without metadata has nothing. */
const declared = async (context: CommandContext): Promise<MetadataDocument> => {
  const path = context.config.metadataDirectory
  const isThere = existsSync(/\.(json|ya?ml)$/.test(path) ? path : join(path, 'version.yaml'))
  return isThere ? await readProject(context) : emptyDocument
}

/** A name each, and what it is where it is no table. */
function linesOf({ tables, functions }: Database): readonly string[] {
  return [
    ...tables.map(({ name, type }) => `${nameOf(name)}${/^(partitioned )?table$/.test(type) ? '' : `  ${type}`}`),
    ...functions.map(({ name, returns, rowOf }) => {
      if (rowOf) return `${nameOf(name)}  computed field of ${nameOf(rowOf)}`
      return `${nameOf(name)}  function${returns ? ` with rows of ${nameOf(returns)}` : ''}`
    }),
  ]
}
