import { Command } from 'commander'
import type { Run } from '../command-context.ts'
import { listEventsCommand } from './events-list.ts'
import { redeliverCommand } from './events-redeliver.ts'

/** `svc events …`: what became of events, and sending them again (docs/event-triggers.md#logs). */
export const eventsCommand = (run: Run): Command =>
  new Command('events')
    .description('list events of triggers and schedules, or send them again')
    .addCommand(listEventsCommand(run))
    .addCommand(redeliverCommand(run))
