/**
 * The operations on scheduled events (reference/scheduled-triggers#cron-triggers,
 * reference/scheduled-triggers#one-off-events). They change no metadata.
 */
import {
  type CronTrigger,
  childrenOf,
  createScheduledEventArgs,
  deleteScheduledEventArgs,
  type GetScheduledEventsArgs,
  getScheduledEventInvocationsArgs,
  getScheduledEventsArgs,
  ignoredArgs,
  type Json,
  objectValue,
  valueFaults,
} from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { checkTransforms, unservable, withoutAbsent } from '../metadata/index.ts'
import { defineRead, type ReadContext, type ReadOperation } from '../requests/index.ts'
import { retryOf } from './live-cron-trigger.ts'

const cronTriggers = ({ draft }: ReadContext): readonly CronTrigger[] =>
  [...childrenOf(draft.document, 'cron_trigger').values()].map((object) => objectValue(object, 'cron_trigger'))

/** Which events a request is for. Throws not-exists for a cron trigger that metadata does not have. */
function filterOf(
  args: Pick<GetScheduledEventsArgs, 'type' | 'trigger_name' | 'event_id' | 'since'>,
  context: ReadContext,
) {
  const { type, trigger_name, event_id: event = null, since = null } = args
  const trigger = type === 'cron' ? (trigger_name ?? null) : null
  if (trigger !== null && !cronTriggers(context).some(({ name }) => name === trigger))
    throw context.path.error('not-exists', `cron trigger with name: ${trigger} does not exist`, 'trigger_name')
  return { trigger, event, since }
}

/** Those that are no part of the exported metadata too. */
const getCronTriggers = defineRead({
  type: 'get_cron_triggers',
  scope: 'read',
  effects: 'none',
  args: ignoredArgs,
  answer: (_, context): Json => ({
    cron_triggers: cronTriggers(context)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((trigger) => {
        const { name, webhook, schedule, include_in_metadata, headers = [], retry_conf: _given, ...others } = trigger
        const shown = { name, webhook, schedule, include_in_metadata, headers, retry_conf: retryOf(trigger), ...others }
        return shown
      }),
  }),
})

const createScheduledEvent = defineRead({
  type: 'create_scheduled_event',
  scope: 'events',
  effects: 'lasting',
  onQuery: true,
  args: createScheduledEventArgs,
  async answer(args, { path, served }): Promise<Json> {
    checkTransforms(args, path)
    // the same of a webhook that is called once
    const { webhook, headers, retry_conf, request_transform, response_transform } = args
    const called = withoutAbsent({ webhook, headers, retry_conf, request_transform, response_transform })
    const [fault] = valueFaults('cron_trigger', called)
    if (fault) throw unservable(fault, path)
    return { message: 'success', event_id: await served.store.schedules.create(args) }
  },
})

const deleteScheduledEvent = defineRead({
  type: 'delete_scheduled_event',
  scope: 'events',
  effects: 'lasting',
  args: deleteScheduledEventArgs,
  async answer({ type, event_id }, { served }): Promise<Json> {
    await served.store.schedules.remove(type, event_id)
    return { message: 'success' }
  },
})

const getScheduledEvents = defineRead({
  type: 'get_scheduled_events',
  scope: 'events',
  effects: 'none',
  args: getScheduledEventsArgs,
  async answer(args, context): Promise<Json> {
    const { type, status = null, order_by = [], limit, offset, get_rows_count } = args
    const { schedules } = context.served.store
    const filter = { ...filterOf(args, context), statuses: status }
    refuseOtherColumns(args, context.path)
    const events = await schedules.events(type, filter, order_by, { limit, offset })
    return { events, ...(get_rows_count && { count: await schedules.countEvents(type, filter) }) }
  },
})

/** Throws parse-failed for what the other kind of event has. */
function refuseOtherColumns({ type, order_by = [] }: GetScheduledEventsArgs, path: Path): void {
  const other = type === 'cron' ? 'comment' : 'trigger_name'
  const found = order_by.findIndex(({ column }) => column === other)
  if (found >= 0) throw new ApiError('parse-failed', path.at('order_by', found, 'column'), `unknown column "${other}"`)
}

const getScheduledEventInvocations = defineRead({
  type: 'get_scheduled_event_invocations',
  scope: 'events',
  effects: 'none',
  args: getScheduledEventInvocationsArgs,
  async answer(args, context): Promise<Json> {
    const { type, limit, offset, get_rows_count } = args
    const { schedules } = context.served.store
    const filter = filterOf(args, context)
    const invocations = await schedules.invocations(type, filter, { limit, offset })
    return { invocations, ...(get_rows_count && { count: await schedules.countInvocations(type, filter) }) }
  },
})

export const scheduleOperations: readonly ReadOperation[] = [
  getCronTriggers,
  createScheduledEvent,
  deleteScheduledEvent,
  getScheduledEvents,
  getScheduledEventInvocations,
]
