import {
  type Applied,
  countChanges,
  notServedYet,
  type ObjectResult,
  type Paint,
  type Plan,
  renderChange,
} from '../core/index.ts'
import type { CommandContext } from './command-context.ts'
import { inconsistentTable } from './print-inconsistent.ts'

/** Where a plan and what became of it are printed, with colours that suit. */
export interface PlanOutput {
  readonly print: (text: string) => void
  readonly paint: Paint
}

/** On stderr. */
export const noted = (context: CommandContext): PlanOutput => ({
  print: context.note,
  paint: context.paint(context.terminal.problems),
})

/** On stdout. */
export const printed = (context: CommandContext): PlanOutput => ({
  print: context.print,
  paint: context.paint(context.terminal.out),
})

/** The changes of a plan, and what of its document no engine serves yet. */
export function showPlan({ print, paint }: PlanOutput, plan: Plan): void {
  if (plan.changes.length === 0) print('No changes: the engine has this metadata already')
  else print(`Plan: ${countChanges(plan.changes)}`)
  for (const change of plan.changes) print(`  ${renderChange(change, paint).replaceAll('\n', '\n  ')}`)
  const waiting = [...notServedYet(plan.wanted)].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  if (waiting.length > 0) print(paint.faint(`kept in the metadata, but not served yet: ${waiting.join(', ')}`))
}

const done = { create: 'created', update: 'updated', delete: 'deleted' } as const

/** What became of each change, a line each. */
export function showResults(
  { print, paint }: PlanOutput,
  results: readonly ObjectResult[],
  tense: 'was' | 'would be',
): void {
  for (const result of results) print(`  ${resultLine(result, tense, paint)}`)
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

/** The objects that the engine calls inconsistent, as a table. */
export function showInconsistent(
  { print }: PlanOutput,
  objects: Applied['inconsistent'],
  tense: 'is' | 'would be',
): void {
  print(`warning: Metadata ${tense} inconsistent`)
  print(inconsistentTable(objects))
}
