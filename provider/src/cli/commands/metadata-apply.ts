import { resolve } from 'node:path'
import { isRecord, writeMetadata } from '@svc/schema'
import { Command } from 'commander'
import { ClientError, type MetadataClient } from '../../client/index.ts'
import {
  type Applied,
  type ApplyOptions,
  applyPlan,
  dryRunPlan,
  type LiveMetadata,
  type Plan,
  readInconsistent,
  redactDocument,
  refuseOtherFile,
  StateError,
  writeState,
} from '../../core/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { makePlan } from '../make-plan.ts'
import { type OutputFormat, outputOption, printAs } from '../output-format.ts'
import { noted, showInconsistent, showPlan, showResults } from '../show-plan.ts'
import { whileWaiting } from '../terminal.ts'

interface ApplyFlags {
  readonly dryRun?: boolean
  readonly output?: OutputFormat
  readonly allowInconsistentMetadata?: boolean
  readonly state?: string
  readonly allowUnknownKeys?: boolean
  readonly draft?: string
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
    .option(
      '--draft <hash>',
      'apply this draft (`svc plan --draft`) and nothing else; refused where metadata has changed since',
    )
    .option('--state <file>', 'remember the version for `svc drift --state FILE`')
  return run(command, apply)
}

async function apply(context: CommandContext, flags: ApplyFlags): Promise<number> {
  if (flags.draft !== undefined) return applyDraft(context, flags, flags.draft)
  if (flags.state !== undefined) await refuseOtherFile(resolve(context.terminal.cwd, flags.state), flags.state)
  const isPrinted = flags.dryRun === true || flags.output !== undefined
  const { plan, live, client, options } = await makePlan(context, flags, isPrinted)
  showPlan(noted(context), plan)
  // with -o nothing was applied in the reference either
  if (isPrinted) {
    context.print(printAs(flags.output ?? 'yaml', writeMetadata(redactDocument(plan.wanted))))
    if (plan.changes.length === 0) return 0
    if (live.catalogId === null) {
      context.note('the engine is older than this svc and checks no plan')
      return 0
    }
    const verdicts = await whileWaiting(context.terminal.problems, 'trying', dryRunPlan(client, plan, options))
    showResults(noted(context), verdicts.results, 'would be')
    if (verdicts.inconsistent.length > 0) showInconsistent(noted(context), verdicts.inconsistent, 'would be')
    if (verdicts.error !== undefined) context.note(`error: ${verdicts.error}`)
    return verdicts.error === undefined ? 0 : 1
  }
  const applied = await applyOrConfirm(context, plan, live, options)
  if (!applied.stored) return 1
  await claim(context, client)
  if (flags.state !== undefined) await remember(context, flags.state, live, applied)
  if (applied.inconsistent.length === 0) return 0
  showInconsistent(noted(context), applied.inconsistent, 'is')
  // of a run with nothing left to do only the warning is printed
  return options.allowInconsistent || plan.changes.length === 0 ? 0 : 1
}

/** All of the metadata is the project's now: with an owner, what had no owner is its own, changed or not. */
async function claim({ config: { owner }, note }: CommandContext, client: MetadataClient): Promise<void> {
  if (owner === undefined) return
  try {
    const { body } = await client.send({ type: 'set_object_owners', args: { owner, from: null } })
    const claimed = isRecord(body) ? Number(body.changed) : 0
    if (claimed > 0) note(`${claimed} ${claimed === 1 ? 'object' : 'objects'} without an owner: owned by ${owner} now`)
  } catch (error) {
    if (!(error instanceof ClientError && (error.body || error.problem === 'older-engine'))) throw error
    note(`warning: what had no owner is not owned by ${owner} now: ${error.message}`)
  }
}

/** What was planned and approved, by its hash; the project is not read. */
async function applyDraft(context: CommandContext, flags: ApplyFlags, hash: string): Promise<number> {
  const { draft: _, ...others } = flags
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw new StateError('--draft applies what was drafted, as it was drafted: it takes no other option')
  const sending = context.client().send({ type: 'apply_draft', args: { hash } })
  await whileWaiting(context.terminal.problems, 'applying', sending).catch((error: unknown) => {
    if (!(error instanceof ClientError && error.problem === 'conflict')) throw error
    throw new StateError('the metadata has changed since the draft was made, so nothing was stored: plan it again')
  })
  context.print('Metadata applied')
  return 0
}

/** Applies a plan and prints what became of it. Throws ClientError where there is no answer. */
export async function applyOrConfirm(
  context: CommandContext,
  plan: Plan,
  live: LiveMetadata,
  options: ApplyOptions,
): Promise<Applied> {
  const client = context.client()
  if (plan.changes.length === 0) {
    const inconsistent = await readInconsistent(client)
    context.print('Metadata unchanged')
    return { stored: true, results: [], inconsistent, resourceVersion: live.resourceVersion }
  }
  const applied = await whileWaiting(context.terminal.problems, 'applying', applyPlan(client, plan, options))
  showResults(noted(context), applied.results, 'was')
  if (applied.stored) {
    context.print('Metadata applied')
    return { ...applied, inconsistent: await readInconsistent(client) }
  }
  if (applied.inconsistent.length > 0) showInconsistent(noted(context), applied.inconsistent, 'would be')
  context.note(`error: ${applied.error}: nothing was stored`)
  return applied
}

async function remember(context: CommandContext, file: string, live: LiveMetadata, applied: Applied): Promise<void> {
  const { catalogId } = live
  if (catalogId === null || applied.resourceVersion === null)
    throw new StateError(`--state: the engine is older than this svc and does not name its catalogue`)
  const state = { endpoint: context.client().endpoint, catalogId, resourceVersion: applied.resourceVersion }
  await writeState(resolve(context.terminal.cwd, file), state)
}
