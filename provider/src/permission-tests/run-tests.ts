import { type Json, recordOf, recordsIn } from '@svc/schema'
import { Kind, OperationTypeNode, parse } from 'graphql'
import { ClientError, type MetadataClient } from '../client/index.ts'
import { differenceOf } from './compare-answer.ts'
import { type Permission, permissionOf } from './coverage.ts'
import type { PermissionTest, Step, TestFile } from './read-tests.ts'

export interface TestResult {
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped: lines for people; empty where it passed. */
  readonly reason: string
  readonly milliseconds: number
  readonly used: readonly Permission[]
}

/** What a test was answered with, step by step. */
interface Answered {
  readonly answers: readonly Json[]
  readonly used: readonly Permission[]
}

export interface TestEngine {
  /** How many tests run at a time. */
  readonly parallel: number
  /** Why a test cannot run there; null where it can. */
  refusal(test: PermissionTest): string | null
  /** Throws ClientError. */
  answer(test: PermissionTest): Promise<Answered>
}

/** An engine whose tests leave nothing behind. */
export const sandboxEngine = (client: MetadataClient): TestEngine => ({
  parallel: 8,
  refusal: () => null,
  async answer({ fixtures, steps }) {
    const requests = steps.map(({ role, session, backendOnly, body }) => ({
      role,
      session,
      backend_only: backendOnly,
      body: { query: body.query, operationName: body.operationName, variables: body.variables },
    }))
    const args = { scripts: fixtures.map(({ source, sql }) => ({ source, sql })), requests }
    const { body } = await client.send({ type: 'run_trial', args })
    const answers = recordsIn(recordOf(body).answers)
    return {
      answers: answers.map((answer) => answer.body ?? null),
      used: answers.flatMap(({ uses }, at) => usesOf(uses, steps[at]?.role ?? '')),
    }
  },
})

const usesOf = (uses: Json | undefined, role: string): readonly Permission[] =>
  recordsIn(uses).map((use) => permissionOf(use, role))

/** An engine that other clients use: it is only read, as the roles of the tests. */
export const liveEngine = (client: Pick<MetadataClient, 'graphql'>): TestEngine => ({
  parallel: 4,
  refusal: ({ fixtures, steps }) => {
    if (fixtures.length > 0) return 'it has fixtures'
    return steps.every(isQuery) ? null : 'it writes'
  },
  async answer({ steps }) {
    const answers: Json[] = []
    for (const { role, session, backendOnly, body } of steps) {
      const backend = backendOnly ? { 'X-Svc-Use-Backend-Only-Permissions': 'true' } : {}
      answers.push(await client.graphql(body, { ...session, ...backend, 'X-Svc-Role': role }))
    }
    return { answers, used: [] }
  },
})

function isQuery({ body: { query, operationName } }: Step): boolean {
  try {
    const operations = parse(query).definitions.flatMap((one) => (one.kind === Kind.OPERATION_DEFINITION ? [one] : []))
    const chosen = operations.filter(({ name }) => operationName === null || name?.value === operationName)
    return chosen.every(({ operation }) => operation === OperationTypeNode.QUERY)
  } catch {
    return true // it is answered with an error
  }
}

/**
 * Runs tests, several at a time. One that fails is run again by itself: tests that write the same rows wait for each
 * other, and may be refused for it. `report` is called with each result, in the order of the files. Throws ClientError
 * where there is no engine.
 */
export async function runTests(
  engine: TestEngine,
  files: readonly TestFile[],
  report: (result: TestResult) => void,
): Promise<readonly TestResult[]> {
  const tests = files.flatMap(({ file, tests }) => tests.map((test) => ({ file, test })))
  const first: (TestResult | undefined)[] = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < tests.length; at = next++) {
      const one = tests[at]
      if (one) first[at] = await runTest(engine, one.file, one.test)
    }
  }
  await Promise.all(Array.from({ length: engine.parallel }, work))
  const results: TestResult[] = []
  for (const [at, { file, test }] of tests.entries()) {
    const result = first[at]
    const last = !result || result.outcome === 'failed' ? await runTest(engine, file, test) : result
    report(last)
    results.push(last)
  }
  return results
}

async function runTest(engine: TestEngine, file: string, test: PermissionTest): Promise<TestResult> {
  const started = performance.now()
  const result = (outcome: TestResult['outcome'], reason: string, used: TestResult['used']): TestResult => {
    return { file, name: test.name, outcome, reason, used, milliseconds: Math.round(performance.now() - started) }
  }
  const refusal = engine.refusal(test)
  if (refusal !== null) return result('skipped', refusal, [])
  try {
    const { answers, used } = await engine.answer(test)
    for (const [at, step] of test.steps.entries()) {
      const difference = differenceOf(step, answers[at] ?? null)
      if (difference !== null) return result('failed', at === 0 ? difference : `next.${at - 1}:\n${difference}`, used)
    }
    return result('passed', '', used)
  } catch (error) {
    if (!(error instanceof ClientError) || !error.body) throw error
    return result('failed', `${error.body.error} (${error.body.code} at ${error.body.path})`, [])
  }
}
