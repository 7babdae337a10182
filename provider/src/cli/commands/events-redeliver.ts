import { recordsIn } from '@svc/schema'
import { Command, Option } from 'commander'
import type { MetadataClient } from '../../client/index.ts'
import { readLive } from '../../core/index.ts'
import type { CommandContext, ExitCode, Run } from '../command-context.ts'
import {
  type EventOrigin,
  type EventStatus,
  eventStatuses,
  type LogRequest,
  originsOf,
  readEvents,
  readSince,
  triggersCalled,
} from '../event-logs.ts'

interface Options {
  readonly trigger: string
  readonly source?: string
  readonly status: EventStatus
  readonly since?: string
  readonly dryRun?: true
}

type Trigger = Extract<EventOrigin, { readonly source: string }>

/** Events read, and sent again, in one request. */
const READ = 1000
const SENT = 200

/** `svc events redeliver`. */
export function redeliverCommand(run: Run): Command {
  const command = new Command('redeliver')
    .description('send events of an event trigger again')
    .requiredOption('--trigger <name>', 'the event trigger')
    .option('--source <name>', 'its source (default: every source that has one of that name)')
    .addOption(
      new Option('--status <status>', 'which of them')
        .choices(eventStatuses.filter((one) => one !== 'pending'))
        .default('error'),
    )
    .option('--since <time>', 'made since then: 90s, 15m, 2h, 3d ago, or a timestamp')
    .option('--dry-run', 'only say how many there are')
  return run(command, redeliver)
}

async function redeliver(context: CommandContext, options: Options): Promise<ExitCode> {
  const since = options.since === undefined ? null : readSince(options.since, Date.now())
  const client = context.client()
  const { document } = await readLive(client)
  let failed = 0
  for (const trigger of triggersCalled(originsOf(document), options.trigger, options.source)) {
    const events = await eventsOf(client, trigger, { status: options.status, since })
    const name = `${trigger.source}/${trigger.name}`
    if (options.dryRun) {
      context.print(`${name}: ${events.length} events would be sent again`)
      continue
    }
    let refused = 0
    for (let from = 0; from < events.length; from += SENT)
      refused += await sendAgain(client, trigger, events.slice(from, from + SENT), context.note)
    failed += refused
    context.print(`${name}: ${events.length - refused} of ${events.length} events are sent again`)
  }
  return failed > 0 ? 1 : 0
}

/** All ids are read before any is sent: one that fails again must not be found again. */
async function eventsOf(client: MetadataClient, trigger: Trigger, request: LogRequest): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += READ) {
    const page = await readEvents(client, trigger, request, { limit: READ, offset })
    for (const { id } of page) ids.add(String(id))
    if (page.length < READ) return [...ids]
  }
}

/** How many were refused: what is being delivered at the moment, or was cleaned away meanwhile. */
async function sendAgain(
  client: MetadataClient,
  { prefix, source }: Trigger,
  events: readonly string[],
  note: (text: string) => void,
): Promise<number> {
  const args = events.map((event_id) => ({ type: `${prefix}_redeliver_event`, args: { event_id, source } }))
  const { body } = await client.send({ type: 'bulk_keep_going', args })
  const refusals = recordsIn(body).flatMap(({ error }, at) =>
    error === undefined ? [] : [`${events[at]}: ${String(error)}`],
  )
  for (const refusal of refusals) note(refusal)
  return refusals.length
}
