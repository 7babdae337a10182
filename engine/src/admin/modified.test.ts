import assert from 'node:assert/strict'
import { test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService } from '../../test/metadata-service.ts'
import { adminRole } from '../session.ts'

const facts = { requestId: 'test', userAgent: null, actor: null }

// after a change websockets may be closed, and other workers are notified
test('a change has modified metadata; its dry run and a read have not', async (t) => {
  const { service } = await startService(t, musicTables)
  const session = { role: adminRole, variables: new Map(), backendOnly: false }
  const modified = async (body: object) => (await service.handle('/v1/metadata', body, session, facts)).modified
  const tracks = { type: 'pg_track_table', args: { table: 'artist' } }
  assert.equal(await modified({ ...tracks, dry_run: true }), false)
  assert.equal(await modified({ type: 'export_metadata', args: {} }), false)
  assert.equal(await modified(tracks), true)
})
