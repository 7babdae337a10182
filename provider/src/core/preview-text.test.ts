import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewText } from './preview-text.ts'

const preview = {
  roles: [
    {
      role: 'user',
      schema: {
        breaking: 1,
        dangerous: 0,
        safe: 1,
        changes: [
          {
            change: 'FIELD_REMOVED',
            severity: 'breaking',
            at: 'artist.name',
            description: 'artist.name was removed.',
          },
          { change: 'FIELD_ADDED', severity: 'safe', at: 'artist.born', description: 'artist.born was added.' },
        ],
        not_listed: 3,
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
        {
          source: 'default',
          table: { schema: 'public', name: 'artist' },
          permission: 'select',
          part: 'limit',
          change: 'wider',
          before: 5,
          after: null,
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
      is_allowed: false,
    },
  ],
}

test('who used what breaks stands below it', () => {
  const used = {
    operation: 'Artists',
    hash: 'ab',
    type: 'query',
    count: 1203,
    last: '2026-11-28T13:00:00Z',
    certain: true,
  }
  const other = {
    ...used,
    operation: null,
    hash: '0123456789abcdef',
    count: 1,
    last: '2026-11-27T00:00:00Z',
    certain: false,
  }
  const change = {
    severity: 'breaking',
    description: 'artist.name was removed.',
    used: [used, other],
    used_not_listed: 2,
  }
  const schema = { breaking: 1, breaking_used: 1, dangerous: 0, safe: 0, changes: [change] }
  const shown = { usage: { days: 7 }, roles: [{ role: 'user', schema, rows: [] }], operations: [] }
  const now = Date.parse('2026-11-28T23:59:00Z')
  assert.equal(
    previewText(shown, 'text', now),
    `Role user
  breaking: artist.name was removed.
    used by Artists 1,203 times in 7 days, last today
    perhaps used by an operation without a name (0123456789ab) once in 7 days, last yesterday
    used by 2 operations more`,
  )
  assert.equal(
    previewText(shown, 'markdown', now).split('\n').slice(2, 4).join('\n'),
    '- **breaking**: artist.name was removed.\n  - used by `Artists` 1,203 times in 7 days, last today',
  )
})

test('a preview is shown as lines of a terminal', () => {
  assert.equal(
    previewText(preview, 'text'),
    `Role user
  breaking: artist.name was removed.
  artist.born was added.
  3 changes more
  select on public.artist in source default: filter narrower; it needs x-svc-user-id
  select on public.artist in source default: limit wider (5 to no limit)

Stored operations that break
  app.Artists (REST: artists) for role user: $.artist.name: field 'name' not found in object 'artist'`,
  )
})

test('a preview is shown as Markdown, and nothing as a sentence', () => {
  const lines = previewText(preview, 'markdown').split('\n')
  assert.deepEqual(lines.slice(0, 3), ['### Role `user`', '', '- **breaking**: artist.name was removed.'])
  assert.equal(previewText({ roles: [], operations: [] }, 'markdown'), 'Nothing changes in the API.')
})
