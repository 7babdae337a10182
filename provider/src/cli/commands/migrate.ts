import { relative } from 'node:path'
import { isRecord } from '@svc/schema'
import { Command, Option } from 'commander'
import { type ClientError, summaryOf } from '../../client/index.ts'
import { hidePasswords, readInconsistent } from '../../core/index.ts'
import { DirectoryError } from '../../directory/index.ts'
import {
  type Choice,
  createMigration,
  deleteMigration,
  dumpSchemas,
  forgetVersions,
  type Outcome,
  planSteps,
  readMigrations,
  readState,
  reconcileState,
  runSteps,
  type Step,
  sourcesOf,
  squashMigrations,
} from '../../migrations/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Run } from '../run-command.ts'

interface SourceFlag {
  readonly source?: string
}

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

const sourceOption = () =>
  new Option('--source <name>', 'the source whose database it is (also --database-name)').default(undefined)

/** `svc migrate …`: SQL in files, applied to the databases of sources through the engine. */
export function migrateCommand(run: Run): Command {
  const command = new Command('migrate').description('change the databases of sources by migrations in SQL')
  for (const part of [createCommand, statusCommand, applyCommand, squashCommand, deleteCommand])
    command.addCommand(part(run).addOption(sourceOption()).addOption(new Option('--database-name <name>').hideHelp()))
  return command
}

const sourceOf = (flags: SourceFlag & { readonly databaseName?: string }) => flags.source ?? flags.databaseName

/** The source that is named, or all that have migrations. */
async function chosenSources({ config }: CommandContext, flags: SourceFlag): Promise<readonly string[]> {
  const named = sourceOf(flags)
  if (named !== undefined) return [named]
  const all = await sourcesOf(config.migrationsDirectory)
  if (all.length > 0) return all
  throw new DirectoryError(`there are no migrations: \`svc migrate create NAME\` makes the first`)
}

function createCommand(run: Run): Command {
  const command = new Command('create')
    .description('make the files of a migration')
    .argument('<name>', 'letters, digits, _ and -')
    .option('--up-sql <sql>', 'what it does')
    .option('--down-sql <sql>', 'what takes it back')
    .option('--from-server', 'what is in the database now, which has it applied')
    .option('--schema <names>', 'with --from-server, separated by commas', 'public')
  return command.action((name: string, flags: CreateFlags) =>
    run(command, async (context) => {
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
    }),
  )
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
  const up = await dumpSchemas(
    client,
    source,
    schema
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  const folder = await createMigration(config.migrationsDirectory, source, { ...named, up, down: null })
  await reconcileState(client, source)
  const migration = { ...named, folder, up, down: null, squashes: [] }
  const { failed } = await runSteps(client, source, [{ migration, direction: 'up' }], true)
  if (failed) throw failed.error
  return folder
}

const lineOf = (sql: string | undefined) => (sql === undefined ? '' : `${sql}\n`)

function statusCommand(run: Run): Command {
  const command = new Command('status')
    .description('compare the migrations with what the databases have')
    .option('--json', 'as JSON')
  return command.action((flags: SourceFlag & { readonly json?: boolean }) =>
    run(command, async (context) => {
      const sources = await Promise.all(
        (await chosenSources(context, flags)).map(async (source) => ({
          source,
          migrations: await statusOf(context, source),
        })),
      )
      if (flags.json) return context.print(JSON.stringify({ sources }, null, 2))
      for (const { source, migrations } of sources) {
        context.print(`${source}:`)
        for (const one of migrations) context.print(`  ${one.version}  ${one.state.padEnd(18)}  ${one.name}`)
        if (migrations.length === 0) context.print('  no migrations')
      }
    }),
  )
}

interface Status {
  readonly version: string
  readonly name: string
  readonly state: 'applied' | 'pending' | 'half applied' | 'applied, no files' | 'rolled back?'
}

async function statusOf({ client, config }: CommandContext, source: string): Promise<readonly Status[]> {
  const migrations = await readMigrations(config.migrationsDirectory, source)
  const { applied, dirty, names, conflicts } = await readState(client(), source)
  const stateOf = (version: string): Status['state'] => {
    if (dirty.has(version)) return 'half applied'
    if (conflicts.includes(version)) return 'rolled back?'
    return applied.has(version) ? 'applied' : 'pending'
  }
  const files = new Set(migrations.flatMap(({ version, squashes }) => [version, ...squashes]))
  const gone = [...applied].filter((version) => !files.has(version))
  return [
    ...migrations.map(({ version, name }) => ({ version, name, state: stateOf(version) })),
    ...gone.map((version) => ({ version, name: names.get(version) ?? '', state: 'applied, no files' as const })),
  ].sort((a, b) => (BigInt(a.version) < BigInt(b.version) ? -1 : 1))
}

function applyCommand(run: Run): Command {
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

function versionOf(text: string): string {
  if (/^\d{1,30}$/.test(text)) return String(BigInt(text))
  throw new DirectoryError(`"${text}" is no version: expected digits`)
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

function squashCommand(run: Run): Command {
  const command = new Command('squash')
    .description('make one migration of several, which it replaces')
    .requiredOption('--from <version>', 'the first')
    .option('--to <version>', 'the last; the latest by default')
    .option('--name <name>', 'of the new one', 'squashed')
  return command.action((flags: SourceFlag & { readonly from: string; readonly to?: string; readonly name: string }) =>
    run(command, async ({ config, terminal, print }) => {
      const { folder, squashed } = await squashMigrations(config.migrationsDirectory, sourceOf(flags) ?? 'default', {
        from: versionOf(flags.from),
        ...(flags.to !== undefined && { to: versionOf(flags.to) }),
        name: flags.name,
      })
      print(`${relative(terminal.cwd, folder)} stands for ${squashed.length} migrations`)
    }),
  )
}

function deleteCommand(run: Run): Command {
  const command = new Command('delete')
    .description('remove migrations: their files and that they were applied; databases stay as they are')
    .option('--version <version>', 'this one')
    .option('--all', 'all of the source')
    .option('--server', 'leave the files')
    .option('--force', 'needed to remove files')
  type DeleteFlags = SourceFlag & { readonly [K in 'all' | 'server' | 'force']?: boolean } & {
    readonly version?: string
  }
  return command.action((flags: DeleteFlags) =>
    run(command, async ({ config, client, print }) => {
      if ((flags.version === undefined) === (flags.all !== true)) throw new DirectoryError('give --version or --all')
      if (!flags.server && !flags.force) throw new DirectoryError('files would be removed: give --force, or --server')
      const source = sourceOf(flags) ?? 'default'
      const { applied } = await readState(client(), source)
      const isChosen = (version: string) => flags.version === undefined || version === versionOf(flags.version)
      const files = flags.server ? [] : await readMigrations(config.migrationsDirectory, source)
      const versions = [...applied].filter(isChosen)
      const removed = files.filter(({ version }) => isChosen(version))
      await forgetVersions(client(), source, versions)
      for (const one of removed) await deleteMigration(one)
      print(`${source}: ${removed.length} migrations removed, ${versions.length} no longer recorded as applied`)
    }),
  )
}
