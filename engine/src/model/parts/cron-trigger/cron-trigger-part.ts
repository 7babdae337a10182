import { objectValue } from '@svc/schema'
import { compileTransforms, resolveWebhook } from '../../../webhooks/index.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import type { Part } from '../part.ts'

/** That the trigger is served: what it does is schedules/ (reference/scheduled-triggers). */
export interface ResolvedCronTrigger {
  readonly name: string
}

/** A cron trigger: what its webhook takes from the environment is there. */
export const cronTriggerPart: Part<ResolvedCronTrigger> = {
  key: 'cron_trigger',
  type: 'cron_trigger',
  resolve({ object, input }) {
    const trigger = objectValue(object, 'cron_trigger')
    const problem = (text: string, detail: ResolutionError['detail']) =>
      new ResolutionError(`in cron trigger ${trigger.name}: ${text}`, detail)
    const { environment } = input.settings
    const found = environment && resolveWebhook(trigger.webhook, trigger.headers ?? [], environment)
    if (found?.kind === 'missing') throw problem(found.message, { cause: 'definition', at: ['webhook'] })
    const compiled = compileTransforms(trigger)
    if (compiled.kind === 'errors')
      throw problem('a template of its transforms does not parse', {
        cause: 'definition',
        message: compiled.message,
      })
    return { name: trigger.name }
  },
}
