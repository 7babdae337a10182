import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { Run } from '../run-command.ts'

interface UsageFlags {
  readonly days: number
  readonly operations?: boolean
  readonly json?: boolean
}

/** `svc usage`: the fields, tables, roles and permissions that no operation requested in the last days (docs/usage.md). */
export function usageCommand(run: Run): Command {
  const command = new Command('usage')
    .description('list fields, tables, roles and permissions that no client uses')
    .option('--days <number>', 'in so many days', wholeDays, 7)
    .option('--operations', 'list which operations are used instead, the most used first')
    .option('--json', 'print to stdout as JSON')
  return command.action((flags: UsageFlags) => run(command, (context) => usage(context, flags)))
}

function wholeDays(text: string): number {
  const days = Number(text)
  if (!/^\d+$/.test(text) || days < 1 || days > 3650) throw new InvalidArgumentError('expected 1 to 3650 days')
  return days
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

const records = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isRecord) : []

const texts = (json: Json | undefined): readonly string[] => (Array.isArray(json) ? json.map(String) : [])

const operationLines = (body: JsonObject): readonly string[] =>
  records(body.operations).map(({ hash, name, role, type, count, last }) => {
    const shown = hash === null ? 'other operations' : (name ?? `without a name, ${String(hash).slice(0, 12)}`)
    return `${type ?? 'operations'} ${shown} of role ${role}: ${count === 1 ? 'once' : `${count} times`}, last ${last}`
  })

function unusedLines(body: JsonObject, days: number): readonly string[] {
  const unused = isRecord(body.unused) ? body.unused : {}
  const lines = [
    ...texts(unused.roles).map((role) => `role ${role}`),
    ...records(unused.tables).map((one) => `table ${tableOf(one)}`),
    ...records(unused.permissions).map(
      (one) => `permission ${String(one.permission)} of role ${String(one.role)} on ${tableOf(one)}`,
    ),
    ...records(unused.fields).map(
      (one) => `fields of ${String(one.type)} for role ${String(one.role)}: ${texts(one.fields).join(', ')}`,
    ),
  ]
  return lines.length === 0 ? [`all that there is was used in ${days} days`] : lines
}

function tableOf({ table, source }: JsonObject): string {
  const { schema, name } = isRecord(table) ? table : {}
  return `${schema ? `${String(schema)}.` : ''}${String(name)} in source ${String(source)}`
}
