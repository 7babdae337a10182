import type { Json } from '../engine/client.ts'
import type { EventRow, Queue } from './queues.ts'

/** What can be done with an event, and what is said before and after. */
export interface EventAction {
  readonly label: string
  /** What it will do. */
  readonly effect: string
  readonly done: string
  readonly request: { readonly type: string; readonly args: Readonly<Record<string, Json>> }
}

/** None while it is being sent, and none of an archived one, whose trigger is gone. */
export function actionsOn(queue: Queue, { id, state, at }: EventRow): readonly EventAction[] {
  if (queue.kind === 'trigger') {
    if (state === 'being sent' || state === 'archived') return []
    const effect = {
      pending: `The webhook of ${queue.name} has not got it yet. It is sent now, and counted as not tried.`,
      delivered: `The webhook of ${queue.name} has got it already and gets it once more, with the same id.`,
    }[state]
    return [
      {
        label: 'Redeliver',
        effect: effect ?? `The webhook of ${queue.name} gets it again, with as many tries as a new event.`,
        done: `Event ${id} is to be sent again.`,
        request: { type: `${queue.prefix}_redeliver_event`, args: { event_id: id, source: queue.source } },
      },
    ]
  }
  if (state === 'locked') return []
  const args = { type: queue.kind === 'cron' ? 'cron' : 'one_off', event_id: id }
  const request = { type: 'delete_scheduled_event', args }
  if (state !== 'scheduled')
    return [
      {
        label: 'Delete',
        effect: 'The event and its attempts are deleted for good. Nothing is sent.',
        done: `Event ${id} is deleted.`,
        request,
      },
    ]
  const again =
    queue.kind === 'cron'
      ? 'The other times of the trigger stay. The latest of them all is planned again when more are planned.'
      : 'A stack that declares it makes it again.'
  return [
    {
      label: 'Cancel',
      effect: `It is deleted, and not sent at ${at}. ${again}`,
      done: `Event ${id} is cancelled.`,
      request,
    },
  ]
}
