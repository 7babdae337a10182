/** Functions of the database, who may call them, and fields that they compute. */
import { type KindSample, named } from './kind-sample.fixture.ts'

export const trackedFunction: KindSample = {
  kind: 'Function',
  base: {
    source: 'default',
    function: named('search_albums'),
    session_argument: 'session',
    exposed_as: 'query',
    custom_name: 'find_albums',
    custom_root_fields: { function: 'found_albums', function_aggregate: null },
    comment: 'By a word',
  },
  changes: {
    source: { source: 'twin' },
    function: { function: named('search_albums', 'shop') },
    session_argument: { session_argument: 'other' },
    exposed_as: { exposed_as: 'mutation' },
    custom_name: { custom_name: null },
    custom_root_fields: { custom_root_fields: { function_aggregate: 'how_many_albums' } },
    comment: { comment: null },
  },
  respelled: [{ source: null, function: { name: 'search_albums' } }],
}

export const functionPermission: KindSample = {
  kind: 'FunctionPermission',
  base: { source: 'default', function: named('search_albums'), role: 'user' },
  changes: {
    source: { source: 'twin' },
    function: { function: named('search_albums', 'shop') },
    role: { role: 'guest' },
  },
  respelled: [{ source: null, function: { name: 'search_albums' } }],
}

export const computedField: KindSample = {
  kind: 'ComputedField',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'label',
    function: named('artist_label'),
    table_argument: 'own',
    session_argument: 'session',
    comment: 'What to show',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), function: named('album_label'), table_argument: null, session_argument: null },
    name: { name: 'shown' },
    function: { function: named('artist_label', 'shop') },
    table_argument: { table_argument: 'same' },
    session_argument: { session_argument: null },
    comment: { comment: null },
  },
  respelled: [{ source: null, table: { name: 'artist' }, function: { name: 'artist_label' } }],
}
