import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'
import { ClientError, type MetadataClient } from '../client/index.ts'
import * as sql from './migration-sql.ts'
import type { Step } from './plan-steps.ts'
import { type RecordedVersion, type SourceState, stateOf } from './source-state.ts'

/** What became of a list of steps. */
export interface Outcome {
  readonly done: readonly Step[]
  /** What another process did meanwhile. */
  readonly elsewhere: readonly Step[]
  readonly failed: { readonly step: Step; readonly error: ClientError } | null
}

interface Catalogue {
  readonly id: string
  readonly state: JsonObject
}

/** What a source has. Changes nothing. Throws ClientError. */
export async function readState(client: MetadataClient, source: string): Promise<SourceState> {
  const { id, state } = await readCatalogue(client)
  return stateOf(await readRecord(client, source), reportedOf(state, source), id)
}

/** The same, with what the other tool applied recorded, so that steps begin from one truth. Throws ClientError. */
export async function reconcileState(client: MetadataClient, source: string): Promise<SourceState> {
  if (!(await hasRecord(client, source))) await run(client, source, sql.ensureRecord)
  const state = await readState(client, source)
  if (state.adopted.length > 0) {
    const { id } = await readCatalogue(client)
    await run(client, source, sql.adopt(state.adopted, id))
  }
  if (state.conflicts.length === 0 && !state.isReported) await mirror(client, source)
  return state
}

/**
 * Runs steps one after another, each in a transaction with its record, and stops at the first that fails. With `skip` they
 * are recorded and not run. `report` is called after each. Throws ClientError where the engine cannot be reached.
 */
export async function runSteps(
  client: MetadataClient,
  source: string,
  steps: readonly Step[],
  skip: boolean,
  report: (step: Step, by: 'this' | 'another process') => void,
): Promise<Outcome> {
  const done: Step[] = []
  const elsewhere: Step[] = []
  for (const step of steps) {
    try {
      if (skip) await run(client, source, sql.recordStep(step))
      else await runStep(client, source, step)
      done.push(step)
      report(step, 'this')
    } catch (error) {
      if (!(error instanceof ClientError) || error.body === null) throw error
      const { applied, dirty } = await readState(client, source)
      const { version } = step.migration
      // another process was first: that the step is done is what was wanted
      if (applied.has(version) !== (step.direction === 'up') || dirty.has(version))
        return { done, elsewhere, failed: { step, error } }
      elsewhere.push(step)
      report(step, 'another process')
    }
    await mirror(client, source)
  }
  return { done, elsewhere, failed: null }
}

/** `-- svc: no transaction` at the top of a file: for CREATE INDEX CONCURRENTLY and the like. */
const noTransaction = /^-- svc: no transaction$/m

async function runStep(client: MetadataClient, source: string, step: Step): Promise<void> {
  const { migration, direction } = step
  const text = (direction === 'up' ? migration.up : migration.down) ?? ''
  if (!noTransaction.test(text)) return run(client, source, `${sql.claim(step, false)}${text}\n;`)
  await run(client, source, sql.claim(step, true))
  await run(client, source, text, { no_transaction: true })
  await run(client, source, sql.finish(step))
}

const mostTries = 20

/** Records in the catalogue, where Hasura's command line reads it, what the source has. */
async function mirror(client: MetadataClient, source: string): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await mirrorOnce(client, source)
    } catch (error) {
      // another process recorded another source there meanwhile
      const isOutrun = error instanceof ClientError && error.body?.code === 'conflict'
      if (!isOutrun || tries === mostTries) throw error
    }
}

async function mirrorOnce(client: MetadataClient, source: string): Promise<void> {
  const { id, state } = await readCatalogue(client)
  const versions = (await readRecord(client, source)).filter(({ applied }) => applied)
  const mine = Object.fromEntries(versions.map(({ version, dirty }) => [version, dirty]))
  const migrations = { ...recordOf(state.migrations), [source]: mine }
  const settings = { ...recordOf(state.settings), migration_mode: 'true' }
  const reported = { ...state, settings, migrations, isStateCopyCompleted: true }
  await client.send({ type: 'set_catalog_state', args: { type: 'cli', state: reported, expected: state } })
  await run(client, source, sql.mirrored(id))
}

async function readCatalogue(client: MetadataClient): Promise<Catalogue> {
  const { body } = await client.send({ type: 'get_catalog_state', args: {} })
  const state = recordOf(recordOf(body).cli_state)
  return { id: isRecord(body) ? String(body.id) : '', state }
}

function reportedOf(state: JsonObject, source: string): ReadonlySet<string> {
  const all = isRecord(state.migrations) ? state.migrations[source] : undefined
  return new Set(isRecord(all) ? Object.keys(all).filter((version) => /^\d+$/.test(version)) : [])
}

async function readRecord(client: MetadataClient, source: string): Promise<readonly RecordedVersion[]> {
  if (!(await hasRecord(client, source))) return []
  return (await rows(client, source, sql.readRecord)).map(
    ([version = '', name = '', applied, dirty, mirroredIn = '']) => ({
      version,
      name,
      applied: applied === 't',
      dirty: dirty === 't',
      mirroredIn,
    }),
  )
}

async function hasRecord(client: MetadataClient, source: string): Promise<boolean> {
  const [[isThere] = []] = await rows(client, source, sql.hasRecord)
  return isThere === 't'
}

async function rows(client: MetadataClient, source: string, text: string): Promise<readonly (readonly string[])[]> {
  const { body } = await client.query({ type: 'run_sql', args: { source, sql: text, read_only: true } })
  const result: Json = isRecord(body) ? (body.result ?? null) : null
  return Array.isArray(result) ? (result.slice(1) as readonly (readonly string[])[]) : []
}

/** What metadata makes of it is said at the end: a migration often comes before the metadata that fits it. */
async function run(client: MetadataClient, source: string, text: string, more: JsonObject = {}): Promise<void> {
  const args = { source, sql: text, check_metadata_consistency: false, ...more }
  await client.query({ type: 'run_sql', args })
}

/** The versions are no longer part of what the source has. Throws ClientError. */
export async function forgetVersions(
  client: MetadataClient,
  source: string,
  versions: readonly string[],
): Promise<void> {
  if (versions.length === 0) return
  await reconcileState(client, source)
  await run(client, source, sql.forget(versions))
  await mirror(client, source)
}
