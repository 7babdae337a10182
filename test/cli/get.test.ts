import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { createSvcFolder } from './svc.ts'

test('svc get prints one object, or the ids of a kind, and names what was meant', async (t) => {
  const { engine } = await startLedger(t)
  const folder = await createSvcFolder(engine, t)
  const permission = { columns: ['id'], filter: { id: { _eq: JSON.rawJSON(LONG) } } }
  await engine.metadata('pg_track_table', { table: 'account' })
  await engine.metadata('pg_create_select_permission', { table: 'account', role: 'user', permission })
  const id = 'default/public/account/user'
  const said = await folder.svc('get', 'select_permission', id)
  assert.equal(said.code, 0, said.stderr)
  assert.match(said.stdout, new RegExp(`_eq: ${LONG}\n`))
  const inJson = await folder.svc('get', 'SelectPermission', id, '-o', 'json')
  assert.match(inJson.stdout, new RegExp(`"_eq": ${LONG}\n`))
  assert.equal((await folder.svc('get', 'svc_table')).stdout, 'default/public/account\n')
  const missing = await folder.svc('get', 'table', 'default/public/acount')
  assert.equal(missing.code, 1)
  assert.match(
    missing.stderr,
    /the engine has no table default\/public\/acount\. Did you mean default\/public\/account\?/,
  )
  assert.match((await folder.svc('get', 'tabel')).stderr, /there is no kind tabel: did you mean table\?/)
  assert.match((await folder.svc('get', 'table', 'a')).stderr, /"a" is no id of a table: expected <source>/)
  const source = await folder.svc('get', 'source', 'default')
  assert.equal(source.stdout.includes(engine.databaseUrl), false)
})
