import { Command, Option } from 'commander'
import { readInconsistent } from '../../core/index.ts'
import { DirectoryError } from '../../directory/index.ts'
import type { Choice } from '../../migrations/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { failureText, type MigrateFlags, migrateSource, outcomeJson } from '../migrate-source.ts'
import { chosenSources, type SourceFlag, versionOf } from './migration-arguments.ts'

interface ApplyFlags extends SourceFlag, MigrateFlags {
  readonly up?: string
  readonly down?: string
  readonly goto?: string
  readonly version?: string
  readonly type?: 'up' | 'down'
}

/** `svc migrate apply` */
export function applyCommand(run: Run): Command {
  const command = new Command('apply')
    .description('apply pending migrations, or take migrations back')
    .option('--up <n>', 'the next N pending ones, or all')
    .option('--down <n>', 'take back the last N, or all')
    .option('--goto <version>', 'up or down to a version')
    .option('--version <version>', 'this one alone')
    .addOption(new Option('--type <direction>', 'with --version').choices(['up', 'down']))
    .option('--skip-execution', 'record it and run nothing')
    .option('--dry-run', 'say what would be done')
    .option('--json', 'as JSON')
  return run(command, apply)
}

async function apply(context: CommandContext, flags: ApplyFlags): Promise<number> {
  const choice = choiceOf(flags)
  const results: object[] = []
  for (const source of await chosenSources(context, flags)) {
    const outcome = await migrateSource(context, source, choice, flags)
    results.push(outcomeJson(source, outcome))
    if (outcome.done.length > 0 && !flags.skipExecution && !flags.dryRun) await noteMetadata(context, source)
    if (!outcome.failed) continue
    if (flags.json) context.print(JSON.stringify({ sources: results }, null, 2))
    context.note(`error: ${failureText(source, outcome.failed)}`)
    return 1
  }
  if (flags.json) context.print(JSON.stringify({ sources: results }, null, 2))
  return 0
}

/** Databases are read again; what metadata makes of them is worth a word. */
async function noteMetadata(context: CommandContext, source: string): Promise<void> {
  const client = context.client()
  await client.send({ type: 'reload_metadata', args: { reload_sources: [source], reload_remote_schemas: false } })
  const inconsistent = await readInconsistent(client)
  if (inconsistent.length > 0)
    context.note(
      `warning: ${inconsistent.length} objects of the metadata do not fit the databases: \`svc metadata ic list\`, or apply metadata that fits`,
    )
}

function choiceOf(flags: ApplyFlags): Choice {
  const given = (['up', 'down', 'goto', 'version'] as const).filter((name) => flags[name] !== undefined)
  if (given.length > 1) throw new DirectoryError(`--${given.join(', --')}: give one of them`)
  if (flags.goto !== undefined) return { kind: 'goto', version: versionOf(flags.goto) }
  if (flags.version !== undefined)
    return { kind: 'only', version: versionOf(flags.version), direction: flags.type ?? 'up' }
  if (flags.down !== undefined) return { kind: 'down', most: countOf(flags.down) }
  return { kind: 'up', most: countOf(flags.up ?? 'all') }
}

function countOf(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new DirectoryError(`"${text}": expected a number or all`)
}
