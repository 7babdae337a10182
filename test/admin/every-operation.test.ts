import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { contractOperations, type Kind, prefixes } from './contract-operations.ts'

const notServed = /is not served by this version$/

/** Sources of agents are kept, and may be dropped. */
const isLacking = (kind: Kind, name: string) => kind === 'agent' && name !== 'drop_source'

/** Served by no kind, and so by no version of this engine. */
const lackingNames = new Set(['dc_add_agent', 'dc_delete_agent'])

test('every operation of the contract is served under all of its names, or says that it is not', async (t) => {
  const { url } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: url }, t)
  const differing: string[] = []
  const ask = async (endpoint: string, type: string, isServed: boolean, version?: number) => {
    const { status, body, text } = await engine.post(endpoint, { type, args: null, ...(version && { version }) })
    const isUnknown = /^unknown metadata command/.test(String(body?.error))
    const isRefused = notServed.test(String(body?.error))
    const right = isServed ? !isUnknown && !isRefused : isRefused && body.code === 'not-supported'
    if (!right || status >= 500) differing.push(`${endpoint} ${type} ${version ?? ''}: ${status} ${text.slice(0, 150)}`)
  }
  for (const { name, kinds, unprefixed, onQuery, at } of contractOperations) {
    const isServed = !lackingNames.has(name)
    for (const kind of kinds)
      for (const prefix of prefixes[kind]) await ask(at, `${prefix}_${name}`, isServed && !isLacking(kind, name))
    if (unprefixed) await ask(at, name, isServed)
    if (onQuery) await ask('/v1/query', name, isServed)
  }
  for (const name of ['track_table', 'track_function', 'set_table_custom_fields', 'replace_metadata'])
    await ask('/v1/query', name, true, 2)
  for (const name of ['replace_metadata', 'export_metadata', 'get_inconsistent_metadata'])
    await ask('/v1/metadata', name, true, 2)
  await ask('/v1/query', 'add_existing_table_or_view', true)
  for (const prefix of ['pg', 'postgres', 'citus', 'cockroach'])
    await ask('/v1/metadata', `${prefix}_set_table_custom_fields`, true)
  assert.deepEqual(differing, [])

  const listed = await listedOperations()
  for (const [endpoint, types] of listed)
    for (const [type, version] of types) await ask(endpoint, type, true, version === 1 ? undefined : version)
  assert.deepEqual(differing, [])
  const unlisted = contractOperations.filter(
    ({ name, onQuery }) => onQuery && !lackingNames.has(name) && !listed.get('/v1/query')?.has(name),
  )
  assert.deepEqual(
    unlisted.map(({ name }) => name),
    [],
  )
})

/** What the OpenAPI document of the reference says of each path: its operations by name, with their first version. */
async function listedOperations(): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const { paths, components } = JSON.parse(await readFile('docs/reference/openapi.json', 'utf8'))
  return new Map(
    Object.entries<typeof paths.any>(paths).map(([path, { post }]) => {
      const references: { $ref: string }[] = post.requestBody.content['application/json'].schema.oneOf
      const types = references.map(({ $ref }): [string, number] => {
        const { type, version } = components.schemas[$ref.split('/').at(-1) ?? ''].properties
        return [type.const, version.enum[0]]
      })
      return [path, new Map(types)]
    }),
  )
}
