import type { Features } from '../backend.ts'

export const features: Features = {
  distinctOn: true,
  nulls: { asc: 'last', desc: 'first' },
  aggregates: {
    operators: ['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp', 'sum', 'var_pop', 'var_samp', 'variance'],
    countOf: 'columns',
    predicates: [
      'avg',
      'bool_and',
      'bool_or',
      'corr',
      'count',
      'covar_samp',
      'max',
      'min',
      'stddev_samp',
      'sum',
      'var_samp',
    ],
  },
  columnComparisons: true,
  jsonPaths: true,
  relay: true,
  subscriptions: { status: 'served' },
  streams: true,
  mutations: {
    upsert: 'on_conflict',
    nestedInserts: true,
    updateMany: true,
    assignments: ['set', 'inc', 'append', 'prepend', 'delete_key', 'delete_elem', 'delete_at_path'],
  },
}
