import { relative } from 'node:path'
import { isRecord } from '@svc/schema'
import { Command, Option } from 'commander'
import { type ClientError, summaryOf } from '../../client/index.ts'
import { hidePasswords, readInconsistent } from '../../core/index.ts'
import { DirectoryError } from '../../directory/index.ts'
import {
  type Choice,
  type Outcome,
  planSteps,
  readMigrations,
  readState,
  reconcileState,
  runSteps,
  type Step,
} from '../../migrations/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Run } from '../run-command.ts'
import { chosenSources, type SourceFlag, versionOf } from './migration-arguments.ts'

interface ApplyFlags extends SourceFlag {
  readonly up?: string
  readonly down?: string
  readonly goto?: string
  readonly version?: string
  readonly type?: 'up' | 'down'
  readonly skipExecution?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
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
  return command.action((flags: ApplyFlags) => run(command, (context) => apply(context, flags)))
}

async function apply(context: CommandContext, flags: ApplyFlags): Promise<number> {
  const choice = choiceOf(flags)
  const results: object[] = []
  for (const source of await chosenSources(context, flags)) {
    const outcome = await applyTo(context, source, choice, flags)
    results.push(jsonOf(source, outcome))
    if (!outcome.failed) continue
    if (flags.json) context.print(JSON.stringify({ sources: results }, null, 2))
    const { step, error } = outcome.failed
    context.note(`error: ${stepText(source, step)}: ${reasonOf(error)}: nothing of it was stored`)
    return 1
  }
  if (flags.json) context.print(JSON.stringify({ sources: results }, null, 2))
  return 0
}

async function applyTo(context: CommandContext, source: string, choice: Choice, flags: ApplyFlags): Promise<Outcome> {
  const client = context.client()
  const migrations = await readMigrations(context.config.migrationsDirectory, source)
  const state = flags.dryRun ? await readState(client, source) : await reconcileState(client, source)
  const settles = flags.skipExecution === true && choice.kind === 'only'
  const unclear = [...state.dirty, ...state.conflicts]
  if (unclear.length > 0 && !settles)
    throw new DirectoryError(
      `${source}: ${unclear.join(', ')}: half applied, or rolled back by another tool: look at the database, then say it is applied (\`svc migrate apply --version VERSION --skip-execution\`) or not (with \`--type down\` too)`,
    )
  const applied = settles ? new Set([...state.applied].filter((one) => !unclear.includes(one))) : state.applied
  const known = settles && choice.direction === 'down' ? new Set([...applied, ...unclear]) : applied
  const steps = planSteps(migrations, known, choice)
  for (const { migration, direction } of steps)
    if (direction === 'down' && migration.down === null && !flags.skipExecution)
      throw new DirectoryError(
        `${relative(context.terminal.cwd, migration.folder)} has no down.sql: it cannot be taken back`,
      )
  const say = flags.json ? () => {} : context.print
  if (steps.length === 0) say(`${source}: nothing to do`)
  if (flags.dryRun) {
    for (const step of steps) say(`${stepText(source, step)} would be ${doneText(step, flags)}`)
    return { done: [], elsewhere: [], failed: null }
  }
  const outcome = await runSteps(client, source, steps, flags.skipExecution === true)
  for (const step of outcome.done) say(`${stepText(source, step)} ${doneText(step, flags)}`)
  for (const step of outcome.elsewhere) say(`${stepText(source, step)} was done by another process`)
  if (outcome.done.length > 0 && !flags.skipExecution) await noteMetadata(context, source)
  return outcome
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

/** With what the database said, without the passwords of addresses. */
function reasonOf({ body, message }: ClientError): string {
  if (body === null) return hidePasswords(message)
  const { internal } = body
  const said = isRecord(internal) && isRecord(internal.error) ? internal.error.message : undefined
  return hidePasswords(typeof said === 'string' ? said : summaryOf(body))
}

const stepText = (source: string, { migration }: Step) => `${source}: ${migration.version}_${migration.name}`

const doneText = ({ direction }: Step, { skipExecution }: ApplyFlags) => {
  if (skipExecution) return direction === 'up' ? 'marked as applied' : 'marked as not applied'
  return direction === 'up' ? 'applied' : 'rolled back'
}

function jsonOf(source: string, { done, elsewhere, failed }: Outcome): object {
  const json = ({ migration: { version, name }, direction }: Step) => ({ version, name, direction })
  return {
    source,
    done: done.map(json),
    done_elsewhere: elsewhere.map(json),
    failed: failed && { ...json(failed.step), error: reasonOf(failed.error) },
  }
}
