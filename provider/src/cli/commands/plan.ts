import { isRecord, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { Command, Option } from 'commander'
import { type DryRunWishes, dryRunPlan, previewText } from '../../core/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { makePlan, type PlanFlags } from '../make-plan.ts'
import { noted, printed, showInconsistent, showPlan, showResults } from '../show-plan.ts'
import { whileWaiting } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'

interface PlanCommandFlags extends PlanFlags {
  readonly detailedExitcode?: boolean
  readonly preview?: boolean
  readonly draft?: boolean
  readonly backTo?: number
  readonly of?: string
  readonly format?: 'text' | 'markdown' | 'json'
}

/**
 * `svc plan`: what `svc metadata apply` would do, checked by the engine, and nothing is stored. Exit 0, or 1 where the
 * apply would be refused; with --detailed-exitcode 2 where there is something to apply.
 */
export function planCommand(run: Run): Command {
  const command = new Command('plan')
    .description('show what an apply would do, and whether the engine would accept it')
    .option('--detailed-exitcode', 'exit with 2 if there are changes, 0 if there are none, 1 on errors')
    .option(
      '--allow-inconsistent-metadata',
      'accept metadata that would not be consistent, as the same option of an apply',
    )
    .option('--allow-unknown-keys', 'warn of keys that metadata does not know: kept inside objects, else left out')
    .option('--preview', 'show what it means for roles, rows and stored operations')
    .option('--draft', 'leave the proposed metadata in the engine as a draft: to try it, and for `svc apply --draft`')
    .option('--back-to <version>', 'plan what makes the metadata that of an earlier version again', wholeNumber)
    .option('--of <id>', 'show what a plan of Terraform or Pulumi makes, by its plan_id')
    .addOption(
      new Option('--format <format>', 'how --preview is shown; markdown and json are printed alone').choices([
        'text',
        'markdown',
        'json',
      ]),
    )
  return run(command, plan)
}

async function plan(context: CommandContext, flags: PlanCommandFlags): Promise<number> {
  if (flags.backTo !== undefined) return planBack(context, flags, flags.backTo)
  if (flags.of !== undefined) return planOf(context, flags, flags.of)
  const { plan, live, client, options } = await makePlan(context, flags, false)
  const format = flags.format ?? 'text'
  // nothing else is printed with what is for programs and comments
  const output = format === 'text' ? printed(context) : noted(context)
  showPlan(output, plan)
  const isPreviewed = flags.preview === true || flags.format !== undefined
  if (plan.changes.length === 0) {
    if (isPreviewed) showPreview(context, format, nothing)
    if (flags.draft) context.note('there is nothing to draft')
    return 0
  }
  const changed = flags.detailedExitcode ? 2 : 0
  if (live.catalogId === null) {
    context.note('the engine is older than this svc and checks no plan')
    return changed
  }
  const trying = dryRunPlan(client, plan, options, wishes(isPreviewed, flags))
  const verdicts = await whileWaiting(context.terminal.problems, 'trying', trying)
  showResults(
    output,
    verdicts.results.filter(({ verdict }) => verdict === 'error'),
    'would be',
  )
  if (verdicts.inconsistent.length > 0) showInconsistent(output, verdicts.inconsistent, 'would be')
  if (verdicts.preview) showPreview(context, format, verdicts.preview, verdicts.draft)
  if (verdicts.draft) showDraft(format === 'text' ? context.print : context.note, verdicts.draft, client.endpoint)
  if (verdicts.error !== undefined) context.note(`error: ${verdicts.error}`)
  return verdicts.error === undefined ? changed : 1
}

const nothing: JsonObject = { roles: [], operations: [] }

function wishes(isPreviewed: boolean, { draft }: PlanCommandFlags): true | DryRunWishes {
  return isPreviewed || draft ? { preview: isPreviewed, draft: draft === true } : true
}

/** The way back is planned by the engine, from its change log. */
async function planBack(context: CommandContext, flags: PlanCommandFlags, version: number): Promise<number> {
  const client = context.client()
  const dry_run = { preview: true, draft: flags.draft === true }
  const { body } = await client.send({ type: 'restore_metadata', args: { resource_version: version }, dry_run })
  if (!isRecord(body)) return 1
  showAnswer(context, flags, body, client.endpoint)
  const [verdict] = recordsIn(body.results)
  if (verdict?.verdict !== 'ok') {
    context.note(`error: ${isRecord(verdict?.error) ? String(verdict.error.error) : 'the engine refuses it'}`)
    return 1
  }
  return flags.detailedExitcode && recordsIn(body.changes).length > 0 ? 2 : 0
}

/** A tool's plan is on the engine's fork: it is requested without adding to it. */
async function planOf(context: CommandContext, flags: PlanCommandFlags, id: string): Promise<number> {
  const client = context.client()
  const ask = async (draft: boolean): Promise<JsonObject> => {
    const dry_run = { plan: id, preview: true, draft }
    const { body } = await client.send({ type: 'bulk_keep_going', args: [], dry_run })
    return recordOf(body)
  }
  const known = await ask(false)
  if (!isRecord(known.plan) || known.plan.members === 0) {
    context.note(`error: ${noPlan(id, client.endpoint)}`)
    return 1
  }
  const body = flags.draft ? await ask(true) : known
  showAnswer(context, flags, body, client.endpoint, 'SVC_GRAPHQL_DRAFT=')
  if (flags.draft && !isRecord(body.draft)) {
    context.note('error: the plan needs what it does not make, so there is no draft of it')
    return 1
  }
  return flags.detailedExitcode ? 2 : 0
}

const noPlan = (id: string, endpoint: string): string =>
  `the engine at ${endpoint} has no plan ${id}: there was nothing to change, it is over for 15 minutes, or another instance has it`

const applyCommand = 'svc apply --draft '

function showAnswer(
  context: CommandContext,
  flags: PlanCommandFlags,
  body: JsonObject,
  endpoint: string,
  applies = applyCommand,
): void {
  const format = flags.format ?? 'text'
  const note = format === 'text' ? context.print : context.note
  for (const { change, object } of recordsIn(body.changes))
    note(`${String(change)} ${isRecord(object) ? String(object.name) : ''}`.trimEnd())
  if (isRecord(body.preview)) showPreview(context, format, body.preview, isRecord(body.draft) ? body.draft : undefined)
  if (isRecord(body.draft)) showDraft(note, body.draft, endpoint, applies)
}

/**
 * How a draft is reached and applied: by `applies` with its hash. Its key is for clients that try it: an apply names
 * the hash.
 */
function showDraft(say: (line: string) => void, draft: JsonObject, endpoint: string, applies = applyCommand): void {
  say(`draft ${String(draft.hash)}, until ${String(draft.expires_at)}`)
  say(`  GraphQL: ${endpoint}${String(draft.url)}/v1/graphql`)
  if (draft.open !== true) say('  it shows its schema, and rows once an admin has opened it (open_draft)')
  for (const left of Array.isArray(draft.on_apply) ? draft.on_apply : [])
    say(`  done by the apply alone: ${String(left)}`)
  for (const source of Array.isArray(draft.not_served) ? draft.not_served : [])
    say(`  not served before it is applied: it connects source ${String(source)}`)
  say(`  ${applies}${String(draft.hash)}`)
}

/** Prints what the plan means for users of the API to stdout. */
function showPreview(
  context: CommandContext,
  format: 'text' | 'markdown' | 'json',
  preview: JsonObject,
  draft?: JsonObject,
): void {
  const { hash = null, resource_version = null, expires_at = null } = draft ?? {}
  const shown = draft ? { ...preview, draft: { hash, resource_version, expires_at } } : preview
  context.print(format === 'json' ? JSON.stringify(shown, null, 2) : previewText(preview, format))
}
