import assert from 'node:assert/strict'
import type { Answer } from './ask.ts'
import { seededRandom } from './random.ts'
import { type RandomRequest, randomRequest } from './random-operations.ts'

/** Sends a body to /v1/metadata. */
export type Ask = (body: object) => Promise<Answer>

/**
 * Tries `count` random requests and then makes them: the dry run's results must be the real answers, its changes what
 * get_metadata_changes reports, its objects those that get_inconsistent_metadata gained and lost. Throws with the seed.
 */
export async function checkDryRuns(ask: Ask, url: string, seed: number, count: number): Promise<Tally> {
  const random = seededRandom(seed)
  const tally = { refused: 0, changed: 0, unchanged: 0 }
  for (let i = 0; i < count; i++) {
    const request = randomRequest(random, url)
    try {
      const { outcome } = await dryRunThenReal(ask, request)
      tally[outcome]++
    } catch (error) {
      const text = JSON.stringify(request)
      throw new Error(`seed ${seed}, request ${i}: ${text}\n${error instanceof Error ? error.message : error}`)
    }
  }
  return tally
}

export type Tally = Record<'refused' | 'changed' | 'unchanged', number>

/** Tries a request, makes it and compares the two. Throws where they differ. */
export async function dryRunThenReal(
  ask: Ask,
  request: RandomRequest,
): Promise<{ readonly real: Answer; readonly outcome: keyof Tally }> {
  const before = await stateOf(ask)
  const dry = await ask({ ...request, dry_run: true })
  assert.deepEqual(await stateOf(ask), before, 'a dry run changes nothing')
  const real = await ask(request)
  const after = await stateOf(ask)
  if (dry.status !== 200) {
    assert.deepEqual({ status: dry.status, body: dry.body }, { status: real.status, body: real.body }, 'refused alike')
    return { real, outcome: 'refused' }
  }
  compareAnswers(request, dry.body.results, real)
  const reported = await ask({
    type: 'get_metadata_changes',
    args: { since_resource_version: before.version, limit: 10_000 },
  })
  assert.deepEqual(sorted(dry.body.changes), sorted(reported.body.changes.map(withoutLog)), 'changes')
  const gained = after.inconsistent.filter((object) => !before.names.has(nameOf(object)))
  const lost = before.inconsistent.filter((object) => !after.names.has(nameOf(object)))
  assert.deepEqual(sorted(dry.body.inconsistent_objects), sorted(gained), 'newly inconsistent')
  assert.deepEqual(sorted(dry.body.consistent_objects), sorted(lost), 'newly consistent')
  if (real.status !== 200) return { real, outcome: 'refused' }
  return { real, outcome: dry.body.changes.length > 0 ? 'changed' : 'unchanged' }
}

interface Verdict {
  readonly verdict: string
  readonly status: number
  readonly result?: unknown
  readonly error?: unknown
}

function compareAnswers({ type, args }: RandomRequest, results: readonly Verdict[], real: Answer): void {
  const answers = results.map(({ verdict, result, error }) => (verdict === 'ok' ? result : error))
  const failed = results.filter(({ verdict }) => verdict !== 'ok')
  const members = Array.isArray(args) ? args.length : 1
  switch (type) {
    case 'bulk':
    case 'bulk_atomic':
      if (real.status === 200) {
        assert.equal(failed.length, 0, 'no member fails')
        assert.equal(results.length, members)
        assert.deepEqual(type === 'bulk' ? answers : { message: 'success' }, real.body)
      } else {
        assert.ok(failed.length === 1 || type === 'bulk_atomic', 'ends at its first error')
        assert.deepEqual(
          { status: failed[0]?.status, body: failed[0]?.error },
          { status: real.status, body: real.body },
        )
      }
      return
    case 'bulk_keep_going':
      assert.equal(real.status, 200)
      assert.deepEqual(answers, real.body)
      return
    default:
      assert.deepEqual({ status: results[0]?.status, body: answers[0] }, { status: real.status, body: real.body })
  }
}

interface Named {
  readonly name: string
  /** Of a permission that a role could not inherit. */
  readonly entity?: object
}

const nameOf = ({ name, entity }: Named): string => `${name}${entity ? JSON.stringify(entity) : ''}`

async function stateOf(ask: Ask) {
  const exported = await ask({ type: 'export_metadata', version: 2, args: {} })
  const listed = await ask({ type: 'get_inconsistent_metadata', args: {} })
  const inconsistent: readonly Named[] = listed.body
  return {
    version: exported.body.resource_version as number,
    metadata: JSON.stringify(exported.body.metadata),
    inconsistent,
    names: new Set(inconsistent.map(nameOf)),
  }
}

interface LoggedChange {
  readonly change: string
  readonly object: unknown
  readonly old: unknown
  readonly new: unknown
}

const withoutLog = ({ change, object, old, new: now }: LoggedChange): LoggedChange => ({
  change,
  object,
  old,
  new: now,
})

const sorted = (list: readonly unknown[]): readonly string[] => list.map((item) => JSON.stringify(item)).sort()
