/** Collections of queries and what serves them. */
import type { KindSample } from './kind-sample.fixture.ts'

export const queryCollection: KindSample = {
  kind: 'QueryCollection',
  base: {
    name: 'albums',
    queries: [
      { name: 'titles', query: 'query titles { album { title } }' },
      { name: 'by_id', query: 'query by_id($id: Int!) { album(where: { id: { _eq: $id } }) { title } }' },
    ],
    comment: 'For the shop',
  },
  changes: {
    name: { name: 'more_albums' },
    queries: { queries: [{ name: 'titles', query: 'query titles { album { id title } }' }] },
    comment: { comment: null },
  },
  respelled: [],
}

/** Of the collections albums and others. */
export const allowlistEntry: KindSample = {
  kind: 'AllowlistEntry',
  base: { collection: 'albums', roles: ['user', 'guest'] },
  changes: { collection: { collection: 'others' }, roles: { roles: null } },
  respelled: [{ roles: ['guest', 'user'] }],
}

export const restEndpoint: KindSample = {
  kind: 'RestEndpoint',
  base: {
    name: 'album_titles',
    url: 'albums/titles',
    methods: ['GET', 'POST'],
    collection_name: 'albums',
    query_name: 'titles',
    comment: 'For the shop',
  },
  changes: {
    name: { name: 'all_titles' },
    url: { url: 'albums/all' },
    methods: { methods: ['GET'] },
    collection_name: { collection_name: 'others' },
    query_name: { url: 'albums/titles/:id', query_name: 'by_id' },
    comment: { comment: null },
  },
  respelled: [{ methods: ['POST', 'GET'] }],
}
