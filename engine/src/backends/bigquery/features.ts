import { type Features, readsOnly } from '../features.ts'

/** What the GraphQL API offers of BigQuery. */
export const features: Features = {
  ...readsOnly,
  subscriptions: {
    status: 'refused',
    reason: 'Cannot currently perform subscriptions on BigQuery sources.',
    explain: 'Cannot currently retrieve query execution plans on BigQuery sources.',
  },
}
