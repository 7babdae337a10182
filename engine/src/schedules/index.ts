/**
 * schedules: cron triggers and one-off events at work (reference/scheduled-triggers). Begin at schedule-delivery.ts;
 * deliver-scheduled.ts is one attempt. Their events are stored by metadata/store/schedules.ts. Imports webhooks,
 * metadata, changes, requests, http-client and observe. Knows no HTTP server.
 */

export { scheduleOperations } from './operations.ts'
export { ScheduleDelivery } from './schedule-delivery.ts'
