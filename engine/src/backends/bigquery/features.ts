import { type Features, readsOnly } from '../features.ts'

/** What the GraphQL API offers of BigQuery. */
export const features: Features = {
  ...readsOnly,
  distinctOn: true,
  nulls: { asc: 'first', desc: 'last' },
  aggregates: {
    operators: ['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp', 'sum', 'var_pop', 'var_samp', 'variance'],
    countOf: 'columns',
    predicates: [],
  },
  subscriptions: {
    status: 'refused',
    reason: 'Cannot currently perform subscriptions on BigQuery sources.',
    explain: 'Cannot currently retrieve query execution plans on BigQuery sources.',
  },
}
