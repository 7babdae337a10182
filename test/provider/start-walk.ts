import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { kindNamed } from '../../provider/src/resources/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { steps } from './walk-identities.ts'
import type { WalkedResource } from './walk-names.ts'
import type { Outside } from './walk-prerequisites.ts'
import { walkEnvironment, walkTables, wholeStack } from './walk-stack.ts'

type WithAfter = Pick<TestContext, 'after'>

/** An engine for the walk, and what its stack speaks of. */
export async function startWalk(t: WithAfter): Promise<{ readonly engine: Engine; readonly outside: Outside }> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`${sampleTables}; ${walkTables}`).finally(() => client.end())
  const remote = await startRemoteServer(sampleRemote, {})
  const outside = { databaseUrl: database.url, remoteUrl: remote.url }
  const engine = await startEngine({ databaseUrl: database.url, env: walkEnvironment(outside) }, t)
  t.after(async () => {
    await remote.close()
    await database.drop()
  })
  return { engine, outside }
}

export interface WalkingTool {
  /** Whether what goes is deleted after everything else has changed. */
  readonly deletesLast: boolean
  declare(stack: readonly WalkedResource[]): Promise<void> | void
  apply(): Promise<unknown>
  /** What a plan would still do. */
  planned(): Promise<readonly string[]>
  /** Keeps its state, to go back to it. */
  keepState(): Promise<void>
  restoreState(): Promise<void>
}

/** The walk in two, since each step takes some seconds: kinds that lie in a source, and all others. */
export type Half = 'in sources' | 'beside sources'

const isIn = (half: Half, kind: string): boolean =>
  kind === 'Source' || kindNamed(kind)?.parents.includes('source') === true
    ? half === 'in sources'
    : half === 'beside sources'

/** What cannot leave its source while something there names it. */
const named: readonly string[] = ['Table.source', 'LogicalModel.source']

/** Every step of half of the walk by a tool: one apply, after which its plan is empty. */
export async function walk(
  t: TestContext,
  half: Half,
  { engine, outside }: Awaited<ReturnType<typeof startWalk>>,
  tool: WalkingTool,
): Promise<void> {
  const stack = wholeStack(outside)
  await tool.declare(stack)
  await tool.apply()
  assert.deepEqual(await tool.planned(), [])
  await tool.keepState()
  const { body: whole } = await engine.metadata('export_metadata', {})
  for (const step of steps(outside, stack).filter(({ name }) => isIn(half, name.split('.')[0] ?? '')))
    await t.test(step.name, async () => {
      await tool.restoreState()
      const { status, text } = await engine.metadata('replace_metadata', whole)
      assert.equal(status, 200, text)
      if (tool.deletesLast && named.includes(step.name)) {
        await tool.declare(stack.filter(({ name }) => step.stack.some((one) => one.name === name)))
        await tool.apply()
      }
      await tool.declare(step.stack)
      await tool.apply()
      assert.deepEqual(await tool.planned(), [])
    })
}
