import { resolve } from 'node:path'
import { keyedObject, type MetadataDocument, objectName, writeMetadata } from '@svc/schema'
import { Command } from 'commander'
import type { MetadataClient } from '../../client/index.ts'
import {
  type Applied,
  applyPlan,
  countChanges,
  dryRunPlan,
  foreignVariable,
  foreignVariableMessage,
  isKnownVariable,
  type LiveMetadata,
  notServedYet,
  type ObjectResult,
  type Paint,
  type Plan,
  planChanges,
  readInconsistent,
  redactDocument,
  renderChange,
  StateError,
  walkObjects,
  writeState,
} from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { type OutputFormat, outputOption, printAs } from '../output-format.ts'
import { inconsistentTable } from '../print-inconsistent.ts'
import { readBesideLive } from '../read-project.ts'
import type { Run } from '../run-command.ts'
import { whileWaiting } from '../terminal.ts'

interface ApplyFlags {
  readonly dryRun?: boolean
  readonly output?: OutputFormat
  readonly allowInconsistentMetadata?: boolean
  readonly state?: string
  readonly allowUnknownKeys?: boolean
}

/**
 * `svc metadata apply`: the project's metadata becomes the engine's, in one request that is stored whole or not at
 * all. What would be inconsistent is refused with exit 1 unless it is allowed.
 */
export function applyCommand(run: Run): Command {
  const command = new Command('apply')
    .description('make the metadata of the engine that of the metadata directory')
    .option('--dry-run', 'print the metadata to stdout, the plan and what the engine thinks of it to stderr')
    .addOption(outputOption('json', 'yaml'))
    .option('--allow-inconsistent-metadata', 'store metadata that is not consistent, too')
    .option('--disallow-inconsistent-metadata', 'what happens anyway; kept for scripts that say it')
    .option('--allow-unknown-keys', 'warn of keys that metadata does not know: kept inside objects, else left out')
    .option('--state <file>', 'remember the version for `svc drift --state FILE`')
  return command.action((flags: ApplyFlags) => run(command, (context) => apply(context, flags)))
}

async function apply(context: CommandContext, flags: ApplyFlags): Promise<number> {
  const { wanted, live, whole } = await readBesideLive(context, flags.allowUnknownKeys ? 'noted' : 'refused')
  const client = context.client()
  await refuseForeignVariables(wanted, client)
  const differing = planChanges(live.document, wanted)
  // a replacement and what is printed have all of it
  const isWhole = flags.dryRun || flags.output || flags.allowInconsistentMetadata || !canBeSteps(differing)
  const plan = isWhole ? { ...differing, wanted: await whole() } : differing
  const options = { resourceVersion: live.resourceVersion, allowInconsistent: flags.allowInconsistentMetadata === true }
  if (live.ignored.length > 0)
    context.note(
      `warning: the engine has ${live.ignored.join(', ')}, which this svc does not know and a replacement would lose`,
    )
  notePlan(context, plan)
  // -o alone never applied anything in the reference either
  if (flags.dryRun || flags.output) {
    context.print(printAs(flags.output ?? 'yaml', writeMetadata(redactDocument(plan.wanted))))
    if (plan.changes.length === 0) return 0
    if (live.catalogId === null) {
      context.note('the engine is older than this svc and judges no plan')
      return 0
    }
    const verdicts = await whileWaiting(context.terminal.problems, 'trying', dryRunPlan(client, plan, options))
    noteResults(context, verdicts.results, 'would be')
    if (verdicts.inconsistent.length > 0) noteInconsistent(context, verdicts.inconsistent, 'would be')
    if (verdicts.error !== undefined) context.note(`error: ${verdicts.error}`)
    return verdicts.error === undefined ? 0 : 1
  }
  const applied = await applyOrConfirm(context, plan, live, options)
  if (!applied.stored) return 1
  if (flags.state !== undefined) await remember(context, flags.state, live, applied)
  if (applied.inconsistent.length === 0) return 0
  noteInconsistent(context, applied.inconsistent, 'is')
  // of a run with nothing left to do only the warning stays
  return options.allowInconsistent || plan.changes.length === 0 ? 0 : 1
}

const canBeSteps = ({ changes }: Plan): boolean => changes.every(({ operations }) => operations !== null)

/** Throws StateError for what the engine would take as it is written, and mean something else. */
async function refuseForeignVariables(wanted: MetadataDocument, client: MetadataClient): Promise<void> {
  for (const { object, at } of walkObjects(wanted)) {
    const foreign = foreignVariable(at.type, object.value)
    if (!foreign) continue
    if (await isKnownVariable(foreign, client)) return
    const { name } = objectName(keyedObject(wanted, at))
    throw new StateError(`${name}: ${foreign.path.join('.')}: ${foreignVariableMessage(foreign)}`)
  }
}

function notePlan(context: CommandContext, plan: Plan): void {
  const paint = context.paint(context.terminal.problems)
  if (plan.changes.length === 0) context.note('No changes: the engine has this metadata already')
  else context.note(`Plan: ${countChanges(plan.changes)}`)
  for (const change of plan.changes) context.note(`  ${renderChange(change, paint).replaceAll('\n', '\n  ')}`)
  const waiting = [...notServedYet(plan.wanted)].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  if (waiting.length > 0) context.note(paint.faint(`kept in the metadata, but not served yet: ${waiting.join(', ')}`))
}

async function applyOrConfirm(
  context: CommandContext,
  plan: Plan,
  live: LiveMetadata,
  options: { readonly resourceVersion: number; readonly allowInconsistent: boolean },
): Promise<Applied> {
  const client = context.client()
  if (plan.changes.length === 0) {
    const inconsistent = await readInconsistent(client)
    context.print('Metadata applied')
    return { stored: true, results: [], inconsistent, resourceVersion: live.resourceVersion }
  }
  const applied = await whileWaiting(context.terminal.problems, 'applying', applyPlan(client, plan, options))
  noteResults(context, applied.results, 'was')
  if (applied.stored) {
    context.print('Metadata applied')
    return { ...applied, inconsistent: await readInconsistent(client) }
  }
  if (applied.inconsistent.length > 0) noteInconsistent(context, applied.inconsistent, 'would be')
  context.note(`error: ${applied.error}: nothing was stored`)
  return applied
}

const done = { create: 'created', update: 'updated', delete: 'deleted' } as const

function noteResults(context: CommandContext, results: readonly ObjectResult[], tense: 'was' | 'would be'): void {
  const paint = context.paint(context.terminal.problems)
  for (const result of results) context.note(`  ${resultLine(result, tense, paint)}`)
}

function resultLine({ change, verdict, error }: ObjectResult, tense: 'was' | 'would be', paint: Paint): string {
  const { name } = change.name
  switch (verdict) {
    case 'ok':
      return paint.good(`ok       ${name} ${tense === 'was' ? '' : `${tense} `}${done[change.change]}`)
    case 'error':
      return paint.bad(`refused  ${name}: ${error}`)
    case 'not-applied':
      return paint.faint(`held     ${name} ${tense} not ${done[change.change]}`)
  }
}

function noteInconsistent(context: CommandContext, objects: Applied['inconsistent'], tense: 'is' | 'would be'): void {
  context.note(`warning: Metadata ${tense} inconsistent`)
  context.note(inconsistentTable(objects))
}

async function remember(context: CommandContext, file: string, live: LiveMetadata, applied: Applied): Promise<void> {
  const { catalogId } = live
  if (catalogId === null || applied.resourceVersion === null)
    throw new StateError(`--state: the engine is older than this svc and does not name its catalogue`)
  const state = { endpoint: context.client().endpoint, catalogId, resourceVersion: applied.resourceVersion }
  await writeState(resolve(context.terminal.cwd, file), state)
}
