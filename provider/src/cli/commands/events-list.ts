import type { JsonObject } from '@svc/schema'
import { Command, Option } from 'commander'
import { readLive } from '../../core/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import {
  type EventOrigin,
  type EventStatus,
  eventStatuses,
  originsOf,
  readEvents,
  readSince,
  statusOf,
  triggersCalled,
} from '../event-logs.ts'
import { type OutputFormat, outputOption, printAs } from '../output-format.ts'
import { table } from '../table.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  readonly trigger?: string
  readonly source?: string
  readonly cron?: string
  readonly oneOff?: true
  readonly status?: EventStatus
  readonly since?: string
  readonly limit: number
  readonly output?: OutputFormat
}

/** `svc events list`. */
export function listEventsCommand(run: Run): Command {
  const command = new Command('list')
    .alias('ls')
    .description('list events, newest first')
    .option(
      '--trigger <name>',
      'events of this event trigger (default: of all, of cron triggers and one-off events too)',
    )
    .option('--source <name>', 'event triggers of this source')
    .option('--cron <name>', 'events of this cron trigger')
    .option('--one-off', 'one-off events')
    .addOption(new Option('--status <status>', 'only these').choices(eventStatuses))
    .option('--since <time>', 'made, or due, since then: 90s, 15m, 2h, 3d ago, or a timestamp')
    .option('--limit <number>', 'at most so many', wholeNumber, 100)
    .addOption(outputOption('json', 'yaml'))
  return run(command, list)
}

async function list(context: CommandContext, options: Options): Promise<void> {
  const { status = null, limit, output } = options
  const since = options.since === undefined ? null : readSince(options.since, Date.now())
  const client = context.client()
  const origins = chosen(originsOf((await readLive(client)).document), options)
  const read = await Promise.all(
    origins.map(async (origin) =>
      (await readEvents(client, origin, { status, since }, { limit, offset: 0 })).map((event) => ({ origin, event })),
    ),
  )
  const newest = read
    .flat()
    .toSorted((a, b) => timeOf(b.event).localeCompare(timeOf(a.event)))
    .slice(0, limit)
  const shown = newest.map(({ origin, event }) => ({
    type: origin.kind,
    ...('source' in origin && { source: origin.source }),
    ...event,
  }))
  if (output) return context.print(printAs(output, shown))
  context.print(newest.length === 0 ? 'no events' : tableOf(newest))
}

function chosen(origins: readonly EventOrigin[], { trigger, source, cron, oneOff }: Options): readonly EventOrigin[] {
  const named = [
    ...(trigger === undefined ? [] : triggersCalled(origins, trigger, source)),
    ...(cron === undefined ? [] : [{ kind: 'cron' as const, name: cron }]),
    ...(oneOff ? [{ kind: 'one_off' as const }] : []),
  ]
  if (named.length > 0) return named
  return source === undefined ? origins : origins.filter((one) => 'source' in one && one.source === source)
}

const timeOf = ({ scheduled_time: due, created_at: made }: JsonObject): string => String(due ?? made)

function nameOf(origin: EventOrigin): string {
  if ('source' in origin) return `${origin.source}/${origin.name}`
  return origin.kind === 'cron' ? `cron ${origin.name}` : 'one-off'
}

function tableOf(events: readonly { readonly origin: EventOrigin; readonly event: JsonObject }[]): string {
  const rows = events.map(({ origin, event }) => [
    String(event.id),
    nameOf(origin),
    statusOf(event),
    String(event.tries),
    timeOf(event),
  ])
  return table([['ID', 'TRIGGER', 'STATUS', 'TRIES', 'TIME'], ...rows])
}
