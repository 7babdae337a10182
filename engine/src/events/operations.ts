/**
 * The operations on events (reference/event-triggers#redeliver-and-invoke, reference/event-triggers#queries-of-logs,
 * reference/event-triggers#cleaning-up). They change no metadata.
 */
import {
  cleanupEventTriggerLogsArgs,
  type EventTrigger,
  findObject,
  getEventByIdArgs,
  getEventInvocationLogsArgs,
  getEventLogsArgs,
  invokeEventTriggerArgs,
  type Json,
  type JsonObject,
  redeliverEventArgs,
} from '@svc/schema'
import type { EventStore } from '../backends/index.ts'
import { readySource } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import { requireEventTrigger } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import { defineSourceRead, type ReadContext, type SourceRead } from '../requests/index.ts'
import { cleanupOptions } from './cleanup-runner.ts'

const success: Json = { message: 'success' }

/** Null: the source never had a trigger. Throws not-exists, unexpected when it cannot be reached. */
async function eventsOf({ draft }: ReadContext, source: string, path: Path): Promise<EventStore | null> {
  const { events } = readySource(draft, source, path).connection
  return (await events?.isPrepared()) ? (events ?? null) : null
}

/** The store and the trigger's metadata. Throws not-exists. */
async function triggerOf(context: ReadContext, source: string, name: string, path: Path, key = 'name') {
  const address = requireEventTrigger(context.draft.document, source, name, path, path.at(key))
  const value = findObject(context.draft.document, address)?.value as unknown as EventTrigger
  const table = address.parent && (findObject(context.draft.document, address.parent)?.value.table as JsonObject)
  return {
    events: await eventsOf(context, source, path),
    definition: value.definition,
    table: { schema: String(table?.schema), name: String(table?.name) },
  }
}

const noTables = (source: string, path: Path) =>
  new ApiError(
    'unexpected',
    path,
    `the tables of events are missing in source "${source}": reload_metadata with recreate_event_triggers makes them`,
  )

const redeliverEvent = defineSourceRead({
  name: 'redeliver_event',
  scope: 'events',
  effects: 'lasting',
  onQuery: true,
  args: () => redeliverEventArgs,
  async answer({ event_id, source }, context) {
    const { path } = context
    const at = path.at('event_id')
    for (const name of source === undefined ? sourcesWithEvents(context) : [source]) {
      const events = await eventsOf(context, name, path)
      const done = events ? await events.redeliver(event_id) : 'not-found'
      if (done === 'busy') throw new ApiError('busy', path, 'event is already being processed', { at })
      if (done === 'done') return success
    }
    throw new ApiError('not-exists', path, 'event not found', { at })
  },
})

/** Sources that may have an event: `default` first, as where no source is named elsewhere. */
function sourcesWithEvents({ draft }: ReadContext): readonly string[] {
  const names = [...draft.states.entries()].flatMap(([name, { status }]) => (status === 'ready' ? [name] : []))
  return names.toSorted((a, b) => Number(b === 'default') - Number(a === 'default'))
}

const invokeEventTrigger = defineSourceRead({
  name: 'invoke_event_trigger',
  scope: 'events',
  effects: 'lasting',
  onQuery: true,
  args: () => invokeEventTriggerArgs,
  async answer({ name, payload, source }, context) {
    const { path } = context
    const { events, definition, table } = await triggerOf(context, source, name, path)
    if (!definition.enable_manual)
      throw path.error('not-supported', `manual mode is not enabled for event trigger "${name}"`, 'name')
    if (!events) throw noTables(source, path)
    const event_id = await events.invoke({
      trigger: name,
      table,
      payload: JSON.stringify(payload),
      sessionVariables: JSON.stringify(Object.fromEntries(context.session.variables)),
      traceContext: null,
    })
    return { event_id }
  },
})

const getEventLogs = defineSourceRead({
  name: 'get_event_logs',
  scope: 'events',
  effects: 'none',
  args: () => getEventLogsArgs,
  async answer({ name, source, status = null, since = null, limit, offset }, context) {
    const { path } = context
    const { events } = await triggerOf(context, source, name, path)
    return (await events?.events(name, { status, since }, { limit, offset })) ?? []
  },
})

const getEventInvocationLogs = defineSourceRead({
  name: 'get_event_invocation_logs',
  scope: 'events',
  effects: 'none',
  args: () => getEventInvocationLogsArgs,
  async answer({ name, source, status = null, since = null, limit, offset }, context) {
    const { path } = context
    const { events } = await triggerOf(context, source, name, path)
    return (await events?.invocations(name, { status, since }, { limit, offset })) ?? []
  },
})

const getEventById = defineSourceRead({
  name: 'get_event_by_id',
  scope: 'events',
  effects: 'none',
  args: () => getEventByIdArgs,
  async answer({ event_id, source, invocation_log_limit: limit, invocation_log_offset: offset }, context) {
    const { path } = context
    const events = await eventsOf(context, source, path)
    const found = await events?.event(event_id, { limit, offset })
    if (!found) throw path.error('not-exists', `event id ${event_id} does not exist`, 'event_id')
    return { event: found.event, invocations: found.invocations }
  },
})

const cleanupEventTriggerLogs = (report: Observer['report']) =>
  defineSourceRead({
    name: 'cleanup_event_trigger_logs',
    scope: 'events',
    effects: 'lasting',
    args: () => cleanupEventTriggerLogsArgs,
    async answer({ event_trigger_name: name, source, ...options }, context) {
      const { path } = context
      const { events } = await triggerOf(context, source, name, path, 'event_trigger_name')
      const cleaned = await events?.clean(cleanupOptions(name, options))
      if (cleaned) report({ kind: 'event-logs-cleaned', source, trigger: name, ...cleaned })
      return success
    },
  })

/** Clean-ups are reported: they delete for good. */
export const eventOperations = (report: Observer['report']): readonly SourceRead[] => [
  redeliverEvent,
  invokeEventTrigger,
  getEventLogs,
  getEventInvocationLogs,
  getEventById,
  cleanupEventTriggerLogs(report),
]
