/** An engine under the fuzz, with databases of its own, and what may be asked of it. */
import assert from 'node:assert/strict'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import type { Document, Item } from './plain-document.ts'
import { musicTables, remoteVariable, shopTables, shopVariable } from './world.ts'

/** What is stored and what is wrong with it. */
export interface Stored {
  readonly version: number
  readonly text: string
  readonly document: Document
  readonly inconsistent: readonly Item[]
}

export interface FuzzEngine {
  readonly engine: Engine
  readonly databaseUrl: string
  readonly env: Readonly<Record<string, string>>
  /** Throws for a 5xx that no page prescribes. */
  ask(path: string, body: unknown): Promise<Answer>
  metadata(type: string, args: unknown, more?: object): Promise<Answer>
  stored(): Promise<Stored>
  stop(): Promise<void>
}

/** 500 that reference/metadata-requests#consistency and reference/metadata-document#dependencies prescribe. */
const prescribed = [
  /^cannot continue due to newly found inconsistent metadata$/,
  /^Encountered conflicting definitions (in the selection set|for types)/,
  /^cannot drop the dependent object: /,
]

function refuseUnprescribed(body: unknown, { status, body: answer, text }: Answer): void {
  if (status < 500) return
  const isPrescribed = answer?.code === 'unexpected' && prescribed.some((pattern) => pattern.test(String(answer.error)))
  assert.ok(isPrescribed, `${status} for ${JSON.stringify(body)}: ${text}`)
}

export async function startFuzzEngine(remoteUrl: string): Promise<FuzzEngine> {
  const [{ url: databaseUrl, drop }, shop] = [await createTestDatabase(), await createTestDatabase()]
  await runOnDatabase(databaseUrl, musicTables)
  await runOnDatabase(shop.url, shopTables)
  const env = {
    [shopVariable]: shop.url,
    [remoteVariable]: remoteUrl,
    HOOKS: 'http://127.0.0.1:1',
    SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
    SVC_GRAPHQL_INFER_FUNCTION_PERMISSIONS: 'false',
  }
  const engine = await startEngine({ databaseUrl, env })
  const ask = async (path: string, body: unknown) => {
    const answer = await engine.post(path, body)
    refuseUnprescribed(body, answer)
    return answer
  }
  const metadata: FuzzEngine['metadata'] = (type, args, more = {}) => ask('/v1/metadata', { type, args, ...more })
  return {
    engine,
    databaseUrl,
    env,
    ask,
    metadata,
    stored: () => readStored(metadata),
    async stop() {
      await engine.stop()
      await drop()
      await shop.drop()
    },
  }
}

export async function readStored(metadata: FuzzEngine['metadata']): Promise<Stored> {
  const exported = await metadata('export_metadata', {}, { version: 2 })
  assert.equal(exported.status, 200)
  const { resource_version: version, metadata: document } = exported.body
  const { body: inconsistent } = await metadata('get_inconsistent_metadata', {})
  return { version, text: JSON.stringify(document), document, inconsistent: sorted(inconsistent) }
}

export const sorted = (list: readonly Item[]): readonly Item[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Exports, byte by byte: shows where the first difference is. */
export function assertSameText(actual: string, expected: string, message: string): void {
  if (actual === expected) return
  let at = 0
  while (actual[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  assert.fail(`${message}:\n${around(actual)}\ninstead of\n${around(expected)}`)
}
