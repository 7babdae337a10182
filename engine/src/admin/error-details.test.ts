import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService, type TestService } from '../../test/metadata-service.ts'
import { ApiError, errorBody } from '../errors.ts'
import type { Session } from '../session.ts'

const op = (type: string, args: object) => ({ type, args })
const admin: Session = { role: 'admin', variables: new Map([['x-svc-role', 'admin']]), backendOnly: false }

const toArtist = op('pg_create_object_relationship', {
  table: 'album',
  name: 'artist',
  using: { foreign_key_constraint_on: 'artist_id' },
})
const throughArtist = op('pg_create_select_permission', {
  table: 'album',
  role: 'user',
  permission: { columns: ['id'], filter: { artist: { name: { _eq: 'x' } } } },
})
const artist = {
  type: 'table',
  name: 'table artist in source default',
  key: { source: 'default', table: { name: 'artist', schema: 'public' } },
}

describe('details of errors', () => {
  let engine: TestService
  const cleanUps: (() => Promise<void>)[] = []
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })
  const ask = async (body: object, details?: string): Promise<unknown> => {
    const headers = details === undefined ? {} : { 'x-svc-error-details': details }
    const facts = { requestId: 'test', actor: null, userAgent: null, headers }
    try {
      const { body: answer } = await engine.service.handle('/v1/metadata', body, admin, facts)
      return JSON.parse(JSON.stringify(answer))
    } catch (error) {
      assert.ok(error instanceof ApiError)
      const { internal, ...shown } = errorBody(error, true)
      return JSON.parse(JSON.stringify(shown))
    }
  }

  before(async () => {
    engine = await startService({ after: (cleanUp) => void cleanUps.unshift(cleanUp) }, musicTables)
    assert.equal((await engine.metadata('pg_track_table', { table: 'album' })).status, 200)
  })

  test('without the header an error has no key more than the contract has', async () => {
    assert.deepEqual(Object.keys((await ask(toArtist)) as object), ['error', 'path', 'code'])
    assert.deepEqual(Object.keys((await ask(toArtist, 'colour, ')) as object), ['error', 'path', 'code'])
  })

  test('a missing table is what a refused relationship needs', async () => {
    const refused = (await ask(toArtist, 'at, needs, summary')) as Record<string, unknown>
    assert.equal(refused.at, '$.args.using.foreign_key_constraint_on')
    assert.deepEqual(refused.needs, [artist])
    assert.equal(refused.error, `Inconsistent object: ${refused.summary}`)
  })

  test('members that are refused say their needs, behind relationships that are missing too', async () => {
    const both = { type: 'bulk_atomic', args: [toArtist, throughArtist] }
    const answer = (await ask(
      { type: 'bulk_keep_going', args: [toArtist, throughArtist, both] },
      'at,needs,summary',
    )) as readonly Record<string, unknown>[]
    assert.deepEqual(
      answer.map(({ needs }) => needs),
      [
        [artist],
        [
          {
            type: 'object_relation',
            name: 'object_relation artist in table album in source default',
            key: { source: 'default', table: { name: 'album', schema: 'public' }, name: 'artist' },
          },
        ],
        [artist],
      ],
    )
    assert.equal(answer[1]?.at, '$.args[1].args.permission.filter.artist')
    assert.equal(answer[2]?.error, 'Schema inconsistency')
    assert.match(String(answer[2]?.summary), /^Schema inconsistency: .*is not tracked/)
  })

  test('what cannot be mended by other changes needs nothing', async () => {
    const wrong = op('pg_create_select_permission', {
      table: 'album',
      role: 'user',
      permission: { columns: ['titel'], filter: {} },
    })
    assert.deepEqual(((await ask(wrong, 'needs')) as { needs: unknown }).needs, [])
  })

  test('what uses an object stands in the way of its drop', async () => {
    await engine.metadata('pg_track_table', { table: 'artist' })
    await engine.metadata(toArtist.type, toArtist.args)
    const refused = (await ask(op('pg_untrack_table', { table: 'artist' }), 'needs')) as {
      needs: readonly { readonly name: string }[]
    }
    assert.deepEqual(
      refused.needs.map(({ name }) => name),
      ['object_relation artist in table album in source default'],
    )
  })
})
