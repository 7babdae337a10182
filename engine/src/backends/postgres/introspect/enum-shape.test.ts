import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseTable } from '../../backend.ts'
import { enumShape } from './enum-shape.ts'

/** `{ value: 'text', tags: 'text[]' }`, in the order given. */
function tableOf(columns: Readonly<Record<string, string>>, key: readonly string[] | null): DatabaseTable {
  return {
    table: { schema: 'public', name: 't' },
    kind: 'table',
    description: null,
    columns: Object.entries(columns).map(([name, type], i) => ({
      name,
      position: i + 1,
      type: { schema: 'pg_catalog', name: type.replace('[]', ''), kind: 'base', array: type.endsWith('[]') },
      nullable: false,
      hasDefault: false,
      generated: 'never',
      description: null,
    })),
    primaryKey: key && { constraint: 't_pkey', columns: key },
    uniqueKeys: [],
    foreignKeys: [],
    insertable: true,
    updatable: true,
    deletable: true,
    fingerprint: '',
    oid: '1',
  }
}

test('a key of text, by itself or with a comment of text on either side of it, makes an enum', () => {
  assert.deepEqual(enumShape(tableOf({ v: 'text' }, ['v'])), { ok: true, key: 'v', comment: null })
  assert.deepEqual(enumShape(tableOf({ v: 'text', c: 'text' }, ['v'])), { ok: true, key: 'v', comment: 'c' })
  assert.deepEqual(enumShape(tableOf({ c: 'text', v: 'text' }, ['v'])), { ok: true, key: 'v', comment: 'c' })
})

test('everything that is wrong is reported', () => {
  const reasons = (columns: Readonly<Record<string, string>>, key: readonly string[] | null) => {
    const shape = enumShape(tableOf(columns, key))
    return shape.ok ? null : shape.reasons
  }
  const noKey = 'the table must have a primary key'
  assert.deepEqual(reasons({ v: 'text' }, null), [noKey])
  assert.deepEqual(reasons({ v: 'text', b: 'text', a: 'text' }, null), [
    noKey,
    'the table must have exactly one primary key and optionally one comment column, not 3 columns (a, b, v)',
  ])
  assert.deepEqual(reasons({ v: 'text', w: 'text' }, ['w', 'v']), [
    'the table’s primary key must not span multiple columns (v, w)',
  ])
  assert.deepEqual(reasons({ v: 'citext', c: 'text[]' }, ['v']), [
    'the table’s primary key ("v") must have type "text", not type "citext"',
    'the table’s comment column ("c") must have type "text", not type "text[]"',
  ])
})
