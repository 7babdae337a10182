import { Command } from 'commander'
import { dryRunPlan } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { makePlan, type PlanFlags } from '../make-plan.ts'
import type { Run } from '../run-command.ts'
import { printed, showInconsistent, showPlan, showResults } from '../show-plan.ts'
import { whileWaiting } from '../terminal.ts'

interface PlanCommandFlags extends PlanFlags {
  readonly detailedExitcode?: boolean
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
  return command.action((flags: PlanCommandFlags) => run(command, (context) => plan(context, flags)))
}

async function plan(context: CommandContext, flags: PlanCommandFlags): Promise<number> {
  const { plan, live, client } = await makePlan(context, flags, false)
  const output = printed(context)
  showPlan(output, plan)
  if (plan.changes.length === 0) return 0
  const changed = flags.detailedExitcode ? 2 : 0
  if (live.catalogId === null) {
    context.note('the engine is older than this svc and judges no plan')
    return changed
  }
  const allowInconsistent = flags.allowInconsistentMetadata === true
  const options = { resourceVersion: live.resourceVersion, allowInconsistent }
  const verdicts = await whileWaiting(context.terminal.problems, 'trying', dryRunPlan(client, plan, options))
  showResults(
    output,
    verdicts.results.filter(({ verdict }) => verdict === 'error'),
    'would be',
  )
  if (verdicts.inconsistent.length > 0) showInconsistent(output, verdicts.inconsistent, 'would be')
  if (verdicts.error !== undefined) context.note(`error: ${verdicts.error}`)
  return verdicts.error === undefined ? changed : 1
}
