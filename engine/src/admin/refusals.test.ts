import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService, type TestService } from '../../test/metadata-service.ts'
import { op, toArtist } from './refusal.fixture.ts'
import { refusalsOfObjects } from './refusals-of-objects.fixture.ts'
import { refusalsOfRequests } from './refusals-of-requests.fixture.ts'
import { refusalsOfRows } from './refusals-of-rows.fixture.ts'

/** Metadata at the start: artist and album tracked, artist.albums used by the permission of `user`. */
const setUp = [
  op('pg_track_tables', { tables: ['artist', 'album'] }),
  op('pg_create_object_relationship', { table: 'album', name: 'artist', using: toArtist }),
  op('pg_create_array_relationship', {
    table: 'artist',
    name: 'albums',
    using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } },
  }),
  op('pg_create_select_permission', {
    table: 'artist',
    role: 'user',
    permission: { columns: ['id', 'name'], filter: { albums: { title: { _eq: 'x' } } } },
  }),
]

const refusals = [...refusalsOfRequests, ...refusalsOfObjects, ...refusalsOfRows]

describe('a refused request names its code, path and reason, and changes nothing', () => {
  let service: TestService
  let exported: string
  const exportNow = async () => JSON.stringify((await service.metadata('export_metadata', {}, { version: 2 })).body)
  const cleanUps: (() => Promise<void>)[] = []
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })
  before(async () => {
    service = await startService({ after: (cleanUp) => void cleanUps.unshift(cleanUp) }, musicTables)
    const { status, body } = await service.metadata('bulk', setUp)
    assert.equal(status, 200, JSON.stringify(body))
    exported = await exportNow()
  })

  for (const { of, ask, status = 400, code, path, error, endpoint = '/v1/metadata', role } of refusals)
    test(`${code}: ${of}`, async () => {
      const answer = await service.ask(endpoint, ask, role)
      const { internal: _, ...body } = answer.body
      assert.deepEqual({ status: answer.status, ...body }, { status, error, path, code })
      assert.equal(await exportNow(), exported)
    })
})
