import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../test/metadata-service.ts'
import { defaultGraphqlSettings, storedQueryCheck } from '../graphql/index.ts'

const tables = `
CREATE TABLE artist (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE album (id integer PRIMARY KEY, title text NOT NULL, artist_id integer NOT NULL REFERENCES artist (id));`

const select = (columns: readonly string[], filter: object = {}) => ({
  type: 'pg_create_select_permission',
  args: { table: 'artist', role: 'user', permission: { columns, filter } },
})
const drop = { type: 'pg_drop_select_permission', args: { table: 'artist', role: 'user' } }

test('a dry run says what changes for each role, its rows and the operations that break', async (t) => {
  const { metadata, ask } = await startService(t, tables, [], {
    checkStoredQuery: storedQueryCheck(defaultGraphqlSettings),
  })
  await metadata('bulk', [{ type: 'pg_track_table', args: { table: 'artist' } }, select(['id', 'name'])])
  const query = 'query Artists($limit: Int) { artist(limit: $limit) { name } }'
  const other = 'query Ids { artist { id } }'
  await metadata('bulk', [
    {
      type: 'create_query_collection',
      args: {
        name: 'app',
        definition: {
          queries: [
            { name: 'Artists', query },
            { name: 'Ids', query: other },
          ],
        },
      },
    },
    { type: 'add_collection_to_allowlist', args: { collection: 'app', scope: { global: false, roles: ['user'] } } },
    {
      type: 'create_rest_endpoint',
      args: {
        name: 'artists',
        url: 'artists',
        methods: ['GET'],
        definition: { query: { collection_name: 'app', query_name: 'Artists' } },
      },
    },
  ])
  const change = { type: 'bulk_atomic', args: [drop, select(['id'], { id: { _eq: 'X-Svc-User-Id' } })] }
  const preview = async (dry_run: object | boolean, of: object = change) => {
    const { status, body } = await ask('/v1/metadata', { ...of, dry_run })
    assert.equal(status, 200, JSON.stringify(body))
    return (body as { preview?: object }).preview
  }
  const removed = (at: string, description = `${at} was removed.`) => ({
    change: 'FIELD_REMOVED',
    severity: 'breaking',
    at,
    description,
  })
  assert.deepEqual(await preview({ preview: true }), {
    roles: [
      {
        role: 'user',
        schema: {
          breaking: 6,
          dangerous: 0,
          safe: 0,
          changes: [
            {
              change: 'TYPE_REMOVED',
              severity: 'breaking',
              at: 'String_comparison_exp',
              description: 'String_comparison_exp was removed.',
            },
            removed('artist.name'),
            removed('artist_bool_exp.name'),
            removed('artist_order_by.name'),
            {
              change: 'VALUE_REMOVED_FROM_ENUM',
              severity: 'breaking',
              at: 'artist_select_column.name',
              description: 'name was removed from enum type artist_select_column.',
            },
            removed('artist_stream_cursor_value_input.name'),
          ],
        },
        rows: [
          {
            source: 'default',
            table: { schema: 'public', name: 'artist' },
            permission: 'select',
            part: 'filter',
            change: 'narrower',
            needs: ['x-svc-user-id'],
          },
        ],
      },
    ],
    operations: [
      {
        collection: 'app',
        query: 'Artists',
        role: 'user',
        reasons: ["$.artist.name: field 'name' not found in object 'artist'"],
        rest_endpoints: ['artists'],
        is_allowed: true,
      },
    ],
  })
  assert.equal(await preview(true), undefined, 'only where it is asked for')
  const plan = randomUUID()
  assert.deepEqual(await preview({ plan, preview: true }, drop), await preview({ plan, preview: true }, drop))
  assert.deepEqual(await preview({ plan, preview: true }, select(['id', 'name'])), { roles: [], operations: [] })
  const steps = randomUUID()
  const dropped = await preview({ plan: steps, preview: 'step' }, drop)
  assert.deepEqual(dropped, await preview({ plan: randomUUID(), preview: true }, drop))
  const granted = await preview({ plan: steps, preview: 'step' }, select(['id', 'name']))
  assert.partialDeepStrictEqual(granted, { operations: [], roles: [{ role: 'user', rows: [{ change: 'granted' }] }] })
})
