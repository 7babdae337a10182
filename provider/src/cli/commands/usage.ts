import { isRecord, type JsonObject, recordOf, recordsIn, textsIn } from '@svc/schema'
import { Command } from 'commander'
import type { CommandContext, Run } from '../command-context.ts'
import { wholeNumberUpTo } from '../whole-number.ts'

interface UsageFlags {
  readonly days: number
  readonly operations?: boolean
  readonly json?: boolean
}

/** `svc usage`: the fields, tables, roles and permissions that no operation requested in the last days (docs/usage.md). */
export function usageCommand(run: Run): Command {
  const command = new Command('usage')
    .description('list fields, tables, roles and permissions that no client uses')
    .option('--days <number>', 'in so many days', wholeNumberUpTo(3650), 7)
    .option('--operations', 'list which operations are used instead, the most used first')
    .option('--json', 'print to stdout as JSON')
  return run(command, usage)
}

async function usage(context: CommandContext, { days, operations, json }: UsageFlags): Promise<void> {
  const { body } = await context.client().send({ type: 'get_usage', args: { days } })
  if (!isRecord(body)) return
  if (json) return context.print(JSON.stringify(body, null, 2))
  if (body.counted !== true) context.note('warning: the engine counts no usage (--usage-days 0)')
  const { since } = body
  if (typeof since !== 'string') return context.print(`no operation was counted in ${days} days`)
  context.note(`of the last ${days} days, counted since ${since}`)
  for (const line of operations ? operationLines(body) : unusedLines(body, days)) context.print(line)
}

const operationLines = (body: JsonObject): readonly string[] =>
  recordsIn(body.operations).map(({ hash, name, role, type, count, last }) => {
    const shown = hash === null ? 'other operations' : (name ?? `without a name, ${String(hash).slice(0, 12)}`)
    return `${type ?? 'operations'} ${shown} of role ${role}: ${count === 1 ? 'once' : `${count} times`}, last ${last}`
  })

function unusedLines(body: JsonObject, days: number): readonly string[] {
  const unused = recordOf(body.unused)
  const lines = [
    ...textsIn(unused.roles).map((role) => `role ${role}`),
    ...recordsIn(unused.tables).map((one) => `table ${tableOf(one)}`),
    ...recordsIn(unused.permissions).map(
      (one) => `permission ${String(one.permission)} of role ${String(one.role)} on ${tableOf(one)}`,
    ),
    ...recordsIn(unused.fields).map(
      (one) => `fields of ${String(one.type)} for role ${String(one.role)}: ${textsIn(one.fields).join(', ')}`,
    ),
  ]
  return lines.length === 0 ? [`all that there is was used in ${days} days`] : lines
}

function tableOf({ table, source }: JsonObject): string {
  const { schema, name } = recordOf(table)
  return `${schema ? `${String(schema)}.` : ''}${String(name)} in source ${String(source)}`
}
