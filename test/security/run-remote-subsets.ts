import { isDeepStrictEqual } from 'node:util'
import { seededRandom } from '../admin/random.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import type { Engine } from '../engine.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { randomRemoteDocument } from './random-remote-document.ts'
import { type RemoteWorld, randomRemoteWorld, sdlOf } from './random-remote-world.ts'
import { expectedData, fieldValue, type WorldObject } from './remote-oracle.ts'

export interface SubsetsResult {
  readonly compared: number
  /** Answers that say less than the server's own answer to an admin. */
  readonly cut: number
  /** What differs, or null. */
  readonly found: unknown
}

const documentsOfWorld = 40

/**
 * Sends documents of roles that have a part of a remote schema, as fields of the root and of a relationship from a table,
 * until `count` are compared with what such a role may get. The engine needs remote schema permissions.
 */
export async function runRemoteSubsets(engine: Engine, seed: number, count: number): Promise<SubsetsResult> {
  let world: RemoteWorld = randomRemoteWorld(seededRandom(seed))
  const serve = (object: WorldObject): object =>
    new Proxy(
      {},
      {
        get: (_, field) => {
          if (field === '__typename') return object.type
          const isThere = typeof field === 'string' && world.upstream.get(object.type)?.fields.has(field)
          return isThere ? () => fieldValue(world, object, field, serve) : undefined
        },
      },
    )
  const remote = await startRemoteServer(sdlOf(world.upstream), serve({ type: 'Query', number: 0 }))
  await runOnDatabase(engine.databaseUrl, 'CREATE TABLE pet (id int PRIMARY KEY); INSERT INTO pet VALUES (1)')
  await run(engine, 'pg_track_table', { table: 'pet' })
  const permission = { columns: '*', filter: {} }
  await run(engine, 'pg_create_select_permission', { table: 'pet', role: 'user', permission })
  let [compared, cut] = [0, 0]
  try {
    for (let at = seed; compared < count; at++) {
      const random = seededRandom(at)
      world = randomRemoteWorld(random)
      remote.serve(sdlOf(world.upstream))
      if (!(await declare(engine, remote.url, world, at > seed))) continue
      for (let i = 0; i < documentsOfWorld && compared < count; i++) {
        const document = randomRemoteDocument(random, world)
        if (!document) break
        const admin = await engine.post('/v1/graphql', { query: document.query })
        const { body } = await engine.post('/v1/graphql', { query: document.query }, { 'x-svc-role': 'user' })
        const expected = expectedData(world, document.selections)
        const of = { seed: at, role: sdlOf(world.role), upstream: sdlOf(world.upstream), query: document.query }
        if (!isDeepStrictEqual(body.data, expected)) return { compared, cut, found: { ...of, expected, body } }
        if (!isDeepStrictEqual(body.data, admin.body.data)) cut++
        const [first] = document.selections
        if (first?.kind === 'field' && first.name === 'c0' && document.selections.length === 1) {
          const query = document.query
            .replace('r0: c0', 'r0: link')
            .replace('{', '{ pet {')
            .replace(/\}(?= *(fragment|$))/, '} }')
          const joined = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user' })
          const found = joined.body.data?.pet?.[0]
          if (!isDeepStrictEqual(found, expected))
            return { compared, cut, found: { ...of, query, expected, joined: joined.body } }
        }
        compared++
      }
    }
    return { compared, cut, found: null }
  } finally {
    await remote.close()
  }
}

/** False: the role has nothing of it. */
async function declare(engine: Engine, url: string, { role, prefix }: RemoteWorld, isThere: boolean): Promise<boolean> {
  if (role.get('Query')?.fields.size === 0) return false
  if (isThere) {
    await run(engine, 'pg_delete_remote_relationship', { table: 'pet', name: 'link' })
    await run(engine, 'remove_remote_schema', { name: 'crm' })
  }
  const customization = prefix === '' ? {} : { customization: { type_names: { prefix } } }
  await run(engine, 'add_remote_schema', { name: 'crm', definition: { url, ...customization } })
  const definition = { schema: sdlOf(role) }
  await run(engine, 'add_remote_schema_permissions', { remote_schema: 'crm', role: 'user', definition })
  const to_remote_schema = { remote_schema: 'crm', lhs_fields: ['id'], remote_field: { c0: { arguments: {} } } }
  await run(engine, 'pg_create_remote_relationship', { table: 'pet', name: 'link', definition: { to_remote_schema } })
  return true
}

async function run(engine: Engine, type: string, args: unknown): Promise<void> {
  const { status, text } = await engine.metadata(type, args)
  if (status !== 200) throw new Error(`${type}: ${text}`)
}
