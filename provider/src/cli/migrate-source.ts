import { relative } from 'node:path'
import { recordOf } from '@svc/schema'
import { type ClientError, summaryOf } from '../client/index.ts'
import { hidePasswords } from '../core/index.ts'
import { DirectoryError } from '../directory/index.ts'
import {
  type Choice,
  type Outcome,
  planSteps,
  readMigrations,
  readState,
  reconcileState,
  runSteps,
  type SourceState,
  type Step,
} from '../migrations/index.ts'
import type { CommandContext } from './command-context.ts'

export interface MigrateFlags {
  readonly skipExecution?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/**
 * Applies what is chosen of a source's migrations and prints a line for each. A migration that fails is a result. Throws
 * DirectoryError for what cannot be applied, ClientError where the engine cannot be reached.
 */
export async function migrateSource(
  context: CommandContext,
  source: string,
  choice: Choice,
  flags: MigrateFlags,
): Promise<Outcome> {
  const client = context.client()
  const migrations = await readMigrations(context.config.migrationsDirectory, source)
  const state = flags.dryRun ? await readState(client, source) : await reconcileState(client, source)
  const settles = flags.skipExecution === true && choice.kind === 'only'
  const unclear = settles ? unclearOf(state) : refuseUnclear(source, state)
  const applied = settles ? new Set([...state.applied].filter((one) => !unclear.includes(one))) : state.applied
  const known = settles && choice.direction === 'down' ? new Set([...applied, ...unclear]) : applied
  const steps = planSteps(migrations, known, choice)
  for (const { migration, direction } of steps)
    if (direction === 'down' && migration.down === null && !flags.skipExecution)
      throw new DirectoryError(
        `${relative(context.terminal.cwd, migration.folder)} has no down.sql: it cannot be taken back`,
      )
  const say = flags.json ? () => {} : context.print
  if (steps.length === 0) say(`${source}: nothing to do`)
  if (flags.dryRun) {
    for (const step of steps) say(`${stepText(source, step)} would be ${doneText(step, flags)}`)
    return { done: steps, elsewhere: [], failed: null }
  }
  return runSteps(client, source, steps, flags.skipExecution === true, (step, by) =>
    say(`${stepText(source, step)} ${by === 'this' ? doneText(step, flags) : 'was done by another process'}`),
  )
}

const unclearOf = ({ dirty, conflicts }: SourceState): readonly string[] => [...dirty, ...conflicts]

/** Throws DirectoryError where a source may have a part of a migration. */
export function refuseUnclear(source: string, state: SourceState): readonly string[] {
  const unclear = unclearOf(state)
  if (unclear.length === 0) return unclear
  throw new DirectoryError(
    `${source}: ${unclear.join(', ')}: half applied, or rolled back by another tool: check the database, then say it is applied (\`svc migrate apply --version VERSION --skip-execution\`) or not (with \`--type down\` too)`,
  )
}

/** What went wrong with a migration, in one line. */
export const failureText = (source: string, { step, error }: NonNullable<Outcome['failed']>): string =>
  `${stepText(source, step)}: ${reasonOf(error)}: nothing of it was stored`

/** With what the database said, without the passwords of addresses. */
function reasonOf({ body, message }: ClientError): string {
  if (body === null) return hidePasswords(message)
  const { internal } = body
  const said = recordOf(recordOf(internal).error).message
  return hidePasswords(typeof said === 'string' ? said : summaryOf(body))
}

const stepText = (source: string, { migration }: Step) => `${source}: ${migration.version}_${migration.name}`

const doneText = ({ direction }: Step, { skipExecution }: MigrateFlags) => {
  if (skipExecution) return direction === 'up' ? 'marked as applied' : 'marked as not applied'
  return direction === 'up' ? 'applied' : 'rolled back'
}

/** An outcome as commands print it with --json. */
export function outcomeJson(source: string, { done, elsewhere, failed }: Outcome): object {
  const json = ({ migration: { version, name }, direction }: Step) => ({ version, name, direction })
  return {
    source,
    done: done.map(json),
    done_elsewhere: elsewhere.map(json),
    failed: failed && { ...json(failed.step), error: reasonOf(failed.error) },
  }
}
