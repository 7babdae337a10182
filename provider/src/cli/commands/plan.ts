import type { JsonObject } from '@svc/schema'
import { Command, Option } from 'commander'
import { dryRunPlan } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { makePlan, type PlanFlags } from '../make-plan.ts'
import { previewText } from '../preview-text.ts'
import type { Run } from '../run-command.ts'
import { noted, printed, showInconsistent, showPlan, showResults } from '../show-plan.ts'
import { whileWaiting } from '../terminal.ts'

interface PlanCommandFlags extends PlanFlags {
  readonly detailedExitcode?: boolean
  readonly preview?: boolean
  readonly format?: 'text' | 'markdown' | 'json'
}

/**
 * `svc plan`: what `svc metadata apply` would do, judged by the engine, and nothing is stored. Exit 0, or 1 where the apply
 * would be refused; with --detailed-exitcode 2 where there is something to apply.
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
    .addOption(
      new Option('--format <format>', 'how --preview is shown; markdown and json are printed alone').choices([
        'text',
        'markdown',
        'json',
      ]),
    )
  return command.action((flags: PlanCommandFlags) => run(command, (context) => plan(context, flags)))
}

async function plan(context: CommandContext, flags: PlanCommandFlags): Promise<number> {
  const { plan, live, client } = await makePlan(context, flags, false)
  const format = flags.format ?? 'text'
  // what is printed for programs and comments stands alone
  const output = format === 'text' ? printed(context) : noted(context)
  showPlan(output, plan)
  const isPreviewed = flags.preview === true || flags.format !== undefined
  if (plan.changes.length === 0) {
    if (isPreviewed) showPreview(context, format, nothing)
    return 0
  }
  const changed = flags.detailedExitcode ? 2 : 0
  if (live.catalogId === null) {
    context.note('the engine is older than this svc and judges no plan')
    return changed
  }
  const allowInconsistent = flags.allowInconsistentMetadata === true
  const options = { resourceVersion: live.resourceVersion, allowInconsistent }
  const trying = dryRunPlan(client, plan, options, isPreviewed ? { preview: true } : true)
  const verdicts = await whileWaiting(context.terminal.problems, 'trying', trying)
  showResults(
    output,
    verdicts.results.filter(({ verdict }) => verdict === 'error'),
    'would be',
  )
  if (verdicts.inconsistent.length > 0) showInconsistent(output, verdicts.inconsistent, 'would be')
  if (verdicts.preview) showPreview(context, format, verdicts.preview)
  if (verdicts.error !== undefined) context.note(`error: ${verdicts.error}`)
  return verdicts.error === undefined ? changed : 1
}

const nothing: JsonObject = { roles: [], operations: [] }

/** What the plan means for those who use the API, on stdout. */
function showPreview(context: CommandContext, format: 'text' | 'markdown' | 'json', preview: JsonObject): void {
  context.print(format === 'json' ? JSON.stringify(preview, null, 2) : previewText(preview, format))
}
