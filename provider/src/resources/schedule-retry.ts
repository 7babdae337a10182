import type { InputDeclaration } from './attributes-of.ts'

/** What cron triggers and one-off events do when a call fails. */
export const scheduleRetry: InputDeclaration = {
  description: 'What happens when a call fails.',
  typeName: 'ScheduleRetry',
  of: {
    num_retries: 'How often a failed call is tried again.',
    retry_interval_seconds: 'Seconds between two tries.',
    timeout_seconds: 'Seconds a call may take.',
    tolerance_seconds: 'Seconds after which a call that is overdue is dropped.',
  },
}
