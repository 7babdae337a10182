import './attribute-meta.ts'
import { z } from 'zod'

/** What cron triggers and one-off events do when a call fails. */
export const scheduleRetry = () =>
  z
    .object({
      num_retries: z.int().default(0).meta({ description: 'How often a failed call is tried again.' }),
      retry_interval_seconds: z.int().default(10).meta({ description: 'Seconds between two tries.' }),
      timeout_seconds: z.int().default(60).meta({ description: 'Seconds a call may take.' }),
      tolerance_seconds: z
        .int()
        .default(21600)
        .meta({ description: 'Seconds after which a call that is overdue is dropped.' }),
    })
    .optional()
    .meta({ typeName: 'ScheduleRetry', description: 'What happens when a call fails.' })
