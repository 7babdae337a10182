import { type Config, changing, type Makers } from './variant.ts'

export function queryCollectionVariants(): Makers {
  const query = { name: 'one', query: 'query one { target { id } }' }
  const base = (slot: string): Config => ({ name: slot, queries: [query] })
  const other = { name: 'two', query: 'query two { target { id } }' }
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    'queries.*.name': changing(base, {}, { queries: [{ ...query, name: 'two' }] }),
    'queries.*.query': changing(base, { queries: [query, other] }, { queries: [other, query] }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** Each variant's collection is there, and another with `_2`, both with the queries one and two. */
export function allowlistEntryVariants(): Makers {
  const base = (slot: string): Config => ({ collection: slot, roles: ['reader'] })
  return {
    collection: (slot) => [base(slot), { ...base(slot), collection: `${slot}_2` }],
    roles: changing(base, {}, { roles: null }),
  }
}

/** The same of theirs. */
export function restEndpointVariants(): Makers {
  const base = (slot: string): Config => ({
    name: slot,
    url: slot,
    methods: ['GET'],
    collection_name: slot,
    query_name: 'one',
  })
  return {
    // no path may be there twice
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2`, url: `${slot}_2` }],
    url: (slot) => [base(slot), { ...base(slot), url: `${slot}/all` }],
    methods: changing(base, {}, { methods: ['POST', 'GET'] }),
    collection_name: (slot) => [base(slot), { ...base(slot), collection_name: `${slot}_2` }],
    query_name: changing(base, {}, { query_name: 'two' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}
