import { relative } from 'node:path'
import type { MetadataDocument } from '@svc/schema'
import { Command } from 'commander'
import {
  type Applied,
  type ApplyOptions,
  countChanges,
  dryRunPlan,
  hidePasswords,
  type InconsistentObject,
  type LiveMetadata,
  type Plan,
  type PlannedChange,
} from '../../core/index.ts'
import { DirectoryError } from '../../directory/index.ts'
import { readMigrations, readState, sourcesOf } from '../../migrations/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { planSources, sourceNames } from '../deploy-sources.ts'
import { makePlan, type PlanFlags } from '../make-plan.ts'
import { failureText, migrateSource, outcomeJson, refuseUnclear } from '../migrate-source.ts'
import { readAllOfBoth } from '../read-project.ts'
import { noted, showInconsistent, showPlan, showResults } from '../show-plan.ts'
import { applyOrConfirm } from './metadata-apply.ts'

interface DeployFlags extends PlanFlags {
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** What a deployment did, as it is printed with --json. */
interface Report {
  dry_run: boolean
  sources: object[]
  migrations: object[]
  metadata: object | null
  error: string | null
}

/**
 * `svc deploy`: the project's sources, then its migrations, then its metadata become the engine's. Each step is stored whole
 * or not at all, and a step that is done is nothing to do for the next run.
 */
export function deployCommand(run: Run): Command {
  const command = new Command('deploy')
    .description('make sources, databases and metadata those of the project: sources, then migrations, then metadata')
    .option('--dry-run', 'say what would be done')
    .option('--json', 'print what was done as JSON to stdout, and progress to stderr')
    .option('--allow-inconsistent-metadata', 'store metadata that is not consistent, too')
    .option('--allow-unknown-keys', 'warn of keys that metadata does not know: kept inside objects, else left out')
  return run(command, deploy)
}

async function deploy(context: CommandContext, flags: DeployFlags): Promise<number> {
  if (!flags.json) return (await runSteps(context, flags, noReport())) === null ? 0 : 1
  const report = noReport()
  // the same lines, where they are out of the way
  const progress: CommandContext = { ...context, print: context.note }
  try {
    report.error = await runSteps(progress, flags, report)
  } catch (error) {
    report.error = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    context.print(hidePasswords(JSON.stringify({ ...report, dry_run: flags.dryRun === true }, null, 2)))
  }
  return report.error === null ? 0 : 1
}

const noReport = (): Report => ({ dry_run: false, sources: [], migrations: [], metadata: null, error: null })

/** Returns what went wrong, which it has noted, or null. What is wrong with the project is thrown before anything is done. */
async function runSteps(context: CommandContext, flags: DeployFlags, report: Report): Promise<string | null> {
  const client = context.client()
  const { wanted, live } = await readAllOfBoth(context, flags.allowUnknownKeys ? 'noted' : 'refused')
  const migrated = await sourcesOf(context.config.migrationsDirectory)
  const known = new Set(sourceNames(live.document))
  await refuseWhatCannotBe(context, wanted, migrated, known)
  const fail = (text: string) => {
    context.note(`error: ${text}`)
    return text
  }

  const sources = planSources(live.document, wanted)
  report.sources = sources.changes.map(changeJson)
  if (!(await addSources(context, flags, sources, live)))
    return fail('sources: nothing was changed. Correct what is refused above, and run `svc deploy` again')

  // what the metadata rests on and a dry run does not make
  let pending = 0
  for (const source of migrated) {
    if (flags.dryRun && !known.has(source)) {
      const migrations = await readMigrations(context.config.migrationsDirectory, source)
      pending += migrations.length
      context.print(
        `${source}: ${migrations.length} migrations, of which those would be applied that its database lacks`,
      )
      report.migrations.push({ source, done: null, done_elsewhere: [], failed: null })
      continue
    }
    const outcome = await migrateSource(
      context,
      source,
      { kind: 'up', most: Number.POSITIVE_INFINITY },
      flags.dryRun ? { dryRun: true } : {},
    )
    pending += outcome.done.length
    report.migrations.push(outcomeJson(source, outcome))
    if (outcome.failed)
      return fail(
        `${failureText(source, outcome.failed)}. What is listed above stays, and the metadata is as it was: correct the migration, and run \`svc deploy\` again`,
      )
  }
  if (flags.dryRun) {
    const refused = await tryMetadata(context, flags, report, pending > 0 || sources.changes.length > 0)
    return refused === null ? null : fail(`metadata: ${refused}`)
  }
  if (migrated.length > 0)
    await client.send({
      type: 'reload_metadata',
      args: { reload_sources: [...migrated], reload_remote_schemas: false },
    })
  const applied = await applyMetadata(context, flags, report)
  if (applied.stored && (applied.inconsistent.length === 0 || flags.allowInconsistentMetadata)) return null
  const remains = migrated.length > 0 ? 'Sources and migrations are done and stay' : 'Sources are done and stay'
  return fail(
    `metadata: ${applied.error ?? 'it is not consistent'}. ${remains}: correct the metadata, and run \`svc deploy\` again`,
  )
}

/** Throws DirectoryError, before anything is changed, for a project that would be deployed in part only. */
async function refuseWhatCannotBe(
  context: CommandContext,
  wanted: MetadataDocument,
  migrated: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const { migrationsDirectory } = context.config
  const declared = new Set(sourceNames(wanted))
  for (const source of migrated) {
    const migrations = await readMigrations(migrationsDirectory, source)
    if (!declared.has(source))
      throw new DirectoryError(
        `${relative(context.terminal.cwd, migrationsDirectory)}/${source}: the metadata has no source ${source} that these ${migrations.length} migrations could run on`,
      )
    if (known.has(source)) refuseUnclear(source, await readState(context.client(), source))
  }
}

/** Returns whether the sources are there. */
async function addSources(
  context: CommandContext,
  flags: DeployFlags,
  plan: Plan,
  live: LiveMetadata,
): Promise<boolean> {
  if (plan.changes.length === 0) {
    context.print('sources: nothing to do')
    return true
  }
  const shown = plan.changes.map(
    (change) => `${change.name.name} ${flags.dryRun ? 'would be ' : ''}${done[change.change]}`,
  )
  const allowInconsistent = flags.allowInconsistentMetadata === true
  const options = { resourceVersion: live.resourceVersion, allowInconsistent }
  if (flags.dryRun) {
    for (const line of shown) context.print(`sources: ${line}`)
    return (await refusalOf(context, plan, options)) === null
  }
  const applied = await applyOrConfirm({ ...context, print: () => {} }, plan, live, options)
  if (applied.stored) for (const line of shown) context.print(`sources: ${line}`)
  return applied.stored
}

const done = { create: 'added', update: 'changed', delete: 'removed' } as const

async function applyMetadata(context: CommandContext, flags: DeployFlags, report: Report): Promise<Applied> {
  const { plan, live, options } = await makePlan(context, flags, false)
  showMetadataPlan(context, plan)
  const applied = await applyOrConfirm(context, plan, live, options)
  if (applied.stored && applied.inconsistent.length > 0) showInconsistent(noted(context), applied.inconsistent, 'is')
  report.metadata = {
    stored: applied.stored,
    changes: plan.changes.map(changeJson),
    inconsistent: applied.inconsistent.map(inconsistentJson),
    resource_version: applied.resourceVersion,
  }
  return applied
}

function showMetadataPlan(context: CommandContext, plan: Plan): void {
  context.print(`metadata: ${plan.changes.length === 0 ? 'nothing to do' : countChanges(plan.changes)}`)
  if (plan.changes.length > 0) showPlan(noted(context), plan)
}

/** Returns why the engine would refuse the metadata; null also where it cannot know, since what it rests on is not there. */
async function tryMetadata(
  context: CommandContext,
  flags: DeployFlags,
  report: Report,
  rests: boolean,
): Promise<string | null> {
  const { plan, options } = await makePlan(context, flags, false)
  showMetadataPlan(context, plan)
  report.metadata = { stored: false, changes: plan.changes.map(changeJson), inconsistent: [], resource_version: null }
  if (plan.changes.length === 0) return null
  if (!rests) return refusalOf(context, plan, options)
  context.print('metadata: checked by the engine once the steps before it are done')
  return null
}

async function refusalOf(context: CommandContext, plan: Plan, options: ApplyOptions): Promise<string | null> {
  const { results, inconsistent, error } = await dryRunPlan(context.client(), plan, options)
  showResults(noted(context), results, 'would be')
  if (inconsistent.length > 0) showInconsistent(noted(context), inconsistent, 'would be')
  return error ?? null
}

const changeJson = ({ change, name, differences }: PlannedChange): object => ({ change, name: name.name, differences })

const inconsistentJson = ({ type, name, reason }: InconsistentObject): object => ({ type, name, reason })
