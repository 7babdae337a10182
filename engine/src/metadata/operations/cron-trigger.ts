/** Cron triggers (reference/scheduled-triggers#cron-triggers). Their events are made by schedules/. */
import { address, createCronTriggerArgs, cronTrigger, deleteCronTriggerArgs, findObject, ownKey } from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { withNew, withoutObject } from '../change-object.ts'
import { checkTransforms } from '../check-transforms.ts'
import { defineOperation, type Operation } from '../operation.ts'

const addressOf = (name: string) => address('cron_trigger', ownKey('cron_trigger', { name }))

/** create_cron_trigger, which replaces too. already-exists, not-exists for one to replace. */
const createCronTrigger = defineOperation({
  type: 'create_cron_trigger',
  args: createCronTriggerArgs,
  check: 'object',
  apply(document, { replace, ...declared }, path) {
    const { name } = declared
    checkTransforms(declared, path)
    const at = addressOf(name)
    const known = findObject(document, at)
    const there = { at: path.at('name') }
    if (!replace && known)
      throw new ApiError('already-exists', path, `cron trigger with name: ${name} already exists`, there)
    if (replace && !known)
      throw new ApiError('not-exists', path, `cron trigger with name: ${name} does not exist`, there)
    const value = cronTrigger.parse(declared)
    return withNew(document, at, value)
  },
})

/** delete_cron_trigger. not-exists. */
const deleteCronTrigger = defineOperation({
  type: 'delete_cron_trigger',
  args: deleteCronTriggerArgs,
  check: 'no-new',
  drops: ({ name }) => [addressOf(name)],
  apply(document, { name }, path) {
    const at = addressOf(name)
    if (!findObject(document, at))
      throw path.error('not-exists', `cron trigger with name: ${name} does not exist`, 'name')
    return withoutObject(document, at)
  },
})

export const cronTriggerOperations: readonly Operation[] = [createCronTrigger, deleteCronTrigger]
