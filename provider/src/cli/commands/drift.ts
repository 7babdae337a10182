import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import {
  attribute,
  type DriftedObject,
  driftFromDirectory,
  driftFromLog,
  hidePasswords,
  type InconsistentObject,
  type LoggedChange,
  type Paint,
  readChanges,
  readInconsistent,
  readLive,
  readState,
  redactLogged,
  refuseOtherFile,
  renderChange,
  StateError,
  writeState,
} from '../../core/index.ts'
import type { ToolState } from '../../states/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { expiringTokens } from '../expiring-tokens.ts'
import { readProject } from '../read-project.ts'

interface DriftFlags {
  readonly state?: string
  readonly accept?: boolean
  readonly json?: boolean
}

interface Found {
  /** With what a tool calls them, where its state is compared. */
  readonly objects: readonly (DriftedObject & { readonly resource?: string })[]
  readonly catalogId: string | null
  readonly resourceVersion: number
  /** As declared, but the engine cannot serve it. */
  readonly inconsistent: readonly InconsistentObject[]
}

/**
 * `svc drift`: what is not as the directory declares it, what changed since a state file (docs/drift.md), or what is not as the
 * state of Terraform or Pulumi says. Exit 0 none, 2 drift, 1 error. A check never changes the state file: a second one must not turn green.
 */
export function driftCommand(run: Run): Command {
  const command = new Command('drift')
    .description('find objects that another client changed behind the back of the declaration')
    .option(
      '--state <file>',
      'compare with the version in this file, a Terraform state or a Pulumi stack export instead of the metadata directory',
    )
    .option('--accept', 'with --state: make the present version the one to compare with')
    .option('--json', 'print to stdout as JSON')
  return run(command, drift)
}

async function drift(context: CommandContext, flags: DriftFlags): Promise<number> {
  if (flags.accept && flags.state === undefined) throw new StateError('--accept needs --state FILE, the file to write')
  if (flags.accept && flags.state !== undefined)
    return accept(context, resolve(context.terminal.cwd, flags.state), flags.state)
  const found =
    flags.state === undefined
      ? await fromDirectory(context)
      : await fromState(context, resolve(context.terminal.cwd, flags.state), flags.state)
  const tokens = await expiringTokens(context)
  if (flags.json) context.print(JSON.stringify({ ...report(found), ...(tokens.length > 0 && { tokens }) }, null, 2))
  else for (const line of lines(found, context.paint(context.terminal.out))) context.print(line)
  for (const { name, expires_at, expired } of tokens)
    context.note(`note: the access token ${name} ${expired ? 'has expired' : 'expires'} at ${expires_at}`)
  return found.objects.length + found.inconsistent.length === 0 ? 0 : 2
}

async function fromDirectory(context: CommandContext): Promise<Found> {
  const declared = await readProject(context)
  const client = context.client()
  const live = await readLive(client)
  const objects = await attribute(client, driftFromDirectory(declared, live), live)
  return { ...live, objects, inconsistent: await readInconsistent(client) }
}

async function fromState(context: CommandContext, path: string, shown: string): Promise<Found> {
  const tool = await toolStateIn(path, shown)
  if (tool) return fromToolState(context, tool, shown)
  const state = await readState(path, shown)
  const client = context.client()
  const log = await readChanges(client, state.resourceVersion, state.catalogId)
  if (!log.complete)
    throw new StateError(
      `${incomplete(log.reason)}: compare with the directory, then accept with \`svc drift --state ${shown} --accept\``,
    )
  return { ...log, objects: driftFromLog(log.changes), inconsistent: await readInconsistent(client) }
}

async function toolStateIn(path: string, shown: string): Promise<ToolState | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const { readToolState } = await import('../../states/index.ts')
  return readToolState(text, shown)
}

async function fromToolState(context: CommandContext, state: ToolState, shown: string): Promise<Found> {
  const { driftFromState, managedNames } = await import('../../states/index.ts')
  const client = context.client()
  const live = await readLive(client)
  printNotCompared(context, state, shown)
  const objects = await attribute(client, driftFromState(state, live.document), live)
  const managed = managedNames(state, live.document)
  const inconsistent = (await readInconsistent(client)).filter(({ name }) => managed.has(name))
  return { ...live, objects, inconsistent }
}

function printNotCompared({ note }: CommandContext, { tool, resources, unknown }: ToolState, shown: string): void {
  const secrets = resources.reduce((count, { encrypted }) => count + encrypted.length, 0)
  if (resources.length === 0) note(`warning: ${shown} is a state of ${tool} in which no resource of an engine is`)
  if (secrets > 0)
    note(`note: ${secrets === 1 ? '1 secret' : `${secrets} secrets`} in ${shown}: encrypted, not compared`)
  if (unknown.length > 0) note(`warning: not compared, since this svc is too old for ${unknown.join(', ')} in ${shown}`)
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
      return `the engine does not know what changed (${reason})`
  }
}

async function accept(context: CommandContext, path: string, shown: string): Promise<number> {
  const tool = await toolStateIn(path, shown)
  if (tool) throw new StateError(`${shown} is a state of ${tool.tool}, which alone writes it: refresh it there`)
  await refuseOtherFile(path, shown)
  const client = context.client()
  const { catalogId, resourceVersion } = await readLive(client)
  if (catalogId === null) throw new StateError('the engine is older than this svc and does not name its catalogue')
  await writeState(path, { endpoint: client.endpoint, catalogId, resourceVersion })
  context.print(`version ${resourceVersion} is accepted in ${shown}`)
  return 0
}

function lines({ objects, inconsistent }: Found, paint: Paint): readonly string[] {
  const broken = inconsistent.flatMap(({ name, reason }) => [
    `  ${paint.bad(`! ${name}`)}`,
    `      inconsistent: ${hidePasswords(reason)}`,
  ])
  const count = inconsistent.length === 1 ? '1 object is' : `${inconsistent.length} objects are`
  return [
    ...(objects.length + inconsistent.length === 0 || objects.length > 0 ? driftLines(objects, paint) : []),
    ...(broken.length > 0 ? [`${count} inconsistent`, ...broken] : []),
  ]
}

function driftLines(objects: Found['objects'], paint: Paint): readonly string[] {
  if (objects.length === 0) return ['no drift']
  const found = objects.length === 1 ? '1 object drifted' : `${objects.length} objects drifted`
  return [
    found,
    ...objects.flatMap((object) => [
      ...renderChange(object, paint)
        .split('\n')
        .map((line) => `  ${line}`),
      ...(object.resource === undefined ? [] : [paint.faint(`      declared as ${object.resource}`)]),
      ...(object.log.length === 0
        ? [paint.faint('      by whom is not in the log')]
        : object.log.map((change) => paint.faint(`      ${who(change)}`))),
    ]),
  ]
}

/** `pg_drop_select_permission by ci 77 at 2026-01-31T12:00:00.000Z (version 42)` */
function who({ operation, by, at, resourceVersion, owner }: LoggedChange): string {
  const actor = [by.actor, by.role, 'someone'].find((name) => typeof name === 'string' && name !== '')
  const whose = owner === null ? '' : `, owned by ${owner}`
  return `${operation} by ${String(actor)} at ${at} (version ${resourceVersion}${whose})`
}

function report({ objects, catalogId, resourceVersion, inconsistent }: Found): object {
  return {
    drift: objects.length + inconsistent.length > 0,
    catalog_id: catalogId,
    resource_version: resourceVersion,
    objects: objects.map(({ change, name, resource, differences, log }) => ({
      change,
      object: name,
      resource,
      differences,
      log: log.map((one) => ({
        resource_version: one.resourceVersion,
        at: one.at,
        operation: one.operation,
        change: one.change,
        old: redactLogged(one.object.type, one.old),
        new: redactLogged(one.object.type, one.new),
        by: one.by,
        ...(one.owner !== null && { owner: one.owner }),
      })),
    })),
    inconsistent: inconsistent.map(({ type, name, reason }) => ({ type, name, reason: hidePasswords(reason) })),
  }
}
