import { resolve } from 'node:path'
import type { Json, JsonObject } from '@svc/schema'
import { Command } from 'commander'
import {
  attribute,
  type DriftedObject,
  driftFromDirectory,
  driftFromLog,
  type LoggedChange,
  type Paint,
  readChanges,
  readLive,
  readState,
  renderChange,
  StateError,
  writeState,
} from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { readProject } from '../read-project.ts'
import type { Run } from '../run-command.ts'

interface DriftFlags {
  readonly state?: string
  readonly accept?: boolean
  readonly json?: boolean
}

interface Found {
  readonly objects: readonly DriftedObject[]
  readonly catalogId: string | null
  readonly resourceVersion: number
}

/**
 * `svc drift`: what is not as the directory declares it, or what changed since a state file (wire.md). Exit 0 none,
 * 2 drift, 1 error. A check never changes the state file: a second one must not turn green.
 */
export function driftCommand(run: Run): Command {
  const command = new Command('drift')
    .description('find objects that somebody changed behind the back of the declaration')
    .option('--state <file>', 'compare with the version in this file instead of the metadata directory')
    .option('--accept', 'with --state: make the present version the one to compare with')
    .option('--json', 'print to stdout as JSON')
  return command.action((flags: DriftFlags) => run(command, (context) => drift(context, flags)))
}

async function drift(context: CommandContext, flags: DriftFlags): Promise<number> {
  if (flags.accept && flags.state === undefined) throw new StateError('--accept needs --state FILE, the file to write')
  if (flags.accept && flags.state !== undefined)
    return accept(context, resolve(context.terminal.cwd, flags.state), flags.state)
  const found =
    flags.state === undefined
      ? await fromDirectory(context)
      : await fromState(context, resolve(context.terminal.cwd, flags.state), flags.state)
  if (flags.json) context.tell(JSON.stringify(report(found), null, 2))
  else for (const line of lines(found.objects, context.paint(context.terminal.out))) context.tell(line)
  return found.objects.length === 0 ? 0 : 2
}

async function fromDirectory(context: CommandContext): Promise<Found> {
  const declared = await readProject(context)
  const client = context.client()
  const live = await readLive(client)
  const objects = driftFromDirectory(declared, live)
  const attributed = live.catalogId === null ? objects : await attribute(client, objects, live)
  return { objects: attributed, catalogId: live.catalogId, resourceVersion: live.resourceVersion }
}

async function fromState(context: CommandContext, path: string, shown: string): Promise<Found> {
  const state = await readState(path, shown)
  const log = await readChanges(context.client(), state.resourceVersion, state.catalogId)
  if (!log.complete)
    throw new StateError(
      `${incomplete(log.reason)}: compare with the directory, then accept with \`svc drift --state ${shown} --accept\``,
    )
  return { objects: driftFromLog(log.changes), catalogId: log.catalogId, resourceVersion: log.resourceVersion }
}

function incomplete(reason: string): string {
  switch (reason) {
    case 'history-expired':
      return 'the engine no longer has the changes since the version in the state file (history-expired)'
    case 'other-catalog':
      return 'the engine has another catalogue than the one in the state file (other-catalog): another engine, or a restored database'
    case 'unknown-version':
      return 'the engine does not know the version in the state file (unknown-version): its database was restored'
    default:
      return `the engine cannot tell what changed (${reason})`
  }
}

async function accept(context: CommandContext, path: string, shown: string): Promise<number> {
  const client = context.client()
  const { catalogId, resourceVersion } = await readLive(client)
  if (catalogId === null) throw new StateError('the engine is older than this svc and does not tell its catalogue')
  await writeState(path, { endpoint: client.endpoint, catalogId, resourceVersion })
  context.tell(`version ${resourceVersion} is accepted in ${shown}`)
  return 0
}

function lines(objects: readonly DriftedObject[], paint: Paint): readonly string[] {
  if (objects.length === 0) return ['no drift']
  const found = objects.length === 1 ? '1 object drifted' : `${objects.length} objects drifted`
  return [
    found,
    ...objects.flatMap((object) => [
      ...renderChange(object, paint)
        .split('\n')
        .map((line) => `  ${line}`),
      ...(object.log.length === 0
        ? [paint.faint('      by whom is not in the log')]
        : object.log.map((change) => paint.faint(`      ${who(change)}`))),
    ]),
  ]
}

/** `pg_drop_select_permission by ci 77 at 2026-01-31T12:00:00.000Z (version 42)` */
function who({ operation, by, at, resourceVersion }: LoggedChange): string {
  const actor = [by.actor, by.role, 'somebody'].find((name) => typeof name === 'string' && name !== '')
  return `${operation} by ${String(actor)} at ${at} (version ${resourceVersion})`
}

function report({ objects, catalogId, resourceVersion }: Found): JsonObject {
  return {
    drift: objects.length > 0,
    catalog_id: catalogId,
    resource_version: resourceVersion,
    objects: objects.map(({ change, name, differences, log }) => ({
      change,
      object: { ...name },
      differences: differences.map(({ path, old, new: now }) => ({
        path,
        ...optional('old', old),
        ...optional('new', now),
      })),
      log: log.map((one) => ({
        resource_version: one.resourceVersion,
        at: one.at,
        operation: one.operation,
        change: one.change,
        old: one.old,
        new: one.new,
        by: one.by,
      })),
    })),
  }
}

const optional = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value })
