import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@svc/schema'
import type { LoggedChange } from '../client/index.ts'
import { driftFromLog } from './drift.ts'
import { plain, renderChange } from './render-changes.ts'

const logged = (resourceVersion: number, role: string, old: Json, now: Json): LoggedChange => ({
  resourceVersion,
  at: '2026-01-31T12:00:00.000Z',
  operation: 'op',
  change: old === null ? 'create' : now === null ? 'delete' : 'update',
  object: { type: 'select_permission', name: `select_permission ${role}`, key: { source: 'default', role } },
  old,
  new: now,
  by: { actor: 'mia' },
  owner: null,
})

test('several changes of an object are one drift with all their authors', () => {
  const [object, ...others] = driftFromLog([logged(1, 'a', { x: 1 }, { x: 2 }), logged(2, 'a', { x: 2 }, { x: 3 })])
  assert.equal(others.length, 0)
  assert.equal(object?.change, 'update')
  assert.deepEqual(object?.differences, [{ path: ['x'], old: 1, new: 3 }])
  assert.equal(object?.log.length, 2)
})

test('what was changed and changed back is no drift', () => {
  assert.deepEqual(driftFromLog([logged(1, 'a', { x: 1 }, null), logged(2, 'a', null, { x: 1 })]), [])
})

test('an object made and changed since is new, one changed and dropped is gone', () => {
  const changes = driftFromLog([
    logged(1, 'a', null, { x: 1 }),
    logged(2, 'a', { x: 1 }, { x: 2 }),
    logged(3, 'b', { x: 1 }, { x: 2 }),
    logged(4, 'b', { x: 2 }, null),
  ])
  assert.deepEqual(
    changes.map(({ change, name }) => `${change} ${name.name}`),
    ['create select_permission a', 'delete select_permission b'],
  )
})

test('passwords in addresses are not shown', () => {
  const differences = [{ path: ['database_url'], old: 'postgres://u:old@h/db', new: 'postgres://u:new@h/db2' }]
  assert.equal(
    renderChange({ change: 'update', name: { name: 'source default' }, differences }, plain),
    '~ source default\n    database_url: "postgres://u:***@h/db" -> "postgres://u:***@h/db2"',
  )
  const same = [{ path: ['database_url'], old: 'postgres://u:old@h/db', new: 'postgres://u:new@h/db' }]
  assert.match(renderChange({ change: 'update', name: { name: 's' }, differences: same }, plain), /a secret differs/)
})
