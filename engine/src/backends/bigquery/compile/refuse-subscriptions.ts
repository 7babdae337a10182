import { ApiError, Path } from '../../../errors.ts'
import { features } from '../features.ts'

/** Subscriptions are in the schema and refused before this is called. */
export function refuseSubscriptions(): never {
  const { subscriptions } = features
  const message = subscriptions.status === 'refused' ? subscriptions.reason : 'subscriptions are not served'
  throw new ApiError('unexpected', Path.root, message, { status: 500 })
}
