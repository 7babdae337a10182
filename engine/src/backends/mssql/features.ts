import type { Features } from '../backend.ts'

export const features: Features = {
  distinctOn: false,
  // NULL is less than every value
  nulls: { asc: 'first', desc: 'last' },
  aggregates: {
    operators: ['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp', 'sum', 'var_pop', 'var_samp', 'variance'],
    countOf: 'column',
    predicates: [],
  },
  columnComparisons: false,
  jsonPaths: false,
  relay: false,
  subscriptions: { status: 'served' },
  streams: false,
  mutations: { upsert: 'if_matched', nestedInserts: false, updateMany: false, assignments: ['set', 'inc'] },
}
