import {
  bulkArgs,
  countRowsArgs,
  decode,
  decodeShallow,
  deleteRowsArgs,
  depthLimit,
  type Envelope,
  envelope,
  insertRowsArgs,
  namedRemoteSchemaArgs,
  type ReloadMetadataArgs,
  reloadMetadataArgs,
  runSqlArgs,
  type Schema,
  selectRowsArgs,
  updateRowsArgs,
} from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { longContainer } from '../exact-json/index.ts'
import { read } from '../metadata/index.ts'
import type { RowOperation } from '../row-api/index.ts'
import type { AdminEndpoint } from './answer.ts'
import { checkStorable } from './check-storable.ts'
import {
  type AdminRequest,
  type BulkCommand,
  type Command,
  type Condition,
  modifies,
  onlyReads,
  type ReadCommand,
  writesRows,
} from './command.ts'
import { isKnownName } from './known-names.ts'
import { type Endpoint, type EnvelopePlace, type RequestTable, rowTypes } from './request-table.ts'

/**
 * Decodes a body with all its members (reference/metadata-requests#body). Throws parse-failed; not-supported for what a
 * dry run or an atomic bulk cannot contain (docs/metadata-api.md#bulks).
 */
export function readRequest(table: RequestTable, endpoint: AdminEndpoint, body: unknown): AdminRequest {
  const root: EnvelopePlace = { run: Path.root, decode: Path.root }
  const head = readEnvelope(body)
  const atMetadata = endpoint === '/v1/metadata'
  const dryRun = head.dry_run ?? null
  if (!atMetadata) refuseDryRun(head, Path.root)
  const refuse = dryRun === null ? null : Path.root.at('dry_run')
  return {
    command: readCommand(table, table.endpoints[endpoint], head, root, refuse),
    resourceVersion: atMetadata ? (head.resource_version ?? null) : null,
    dryRun,
  }
}

/** How deep a long body is nested is known since it was parsed: measuring it again takes 50 ms for a million values. */
function readEnvelope(body: unknown): Envelope {
  const long = typeof body === 'object' && body !== null ? longContainer(body) : null
  return read(long && long.levels <= depthLimit ? decodeShallow(envelope, body) : decode(envelope, body))
}

/** reload_remote_schema reads one server again, and no database. */
const reloadOf = (name: string): ReloadMetadataArgs => ({
  reload_remote_schemas: [name],
  reload_sources: false,
  recreate_event_triggers: false,
  reload_data_connectors: false,
})

/** Where nothing can be tried, requesting it must not end in doing it. */
function refuseDryRun(head: Envelope, path: Path): void {
  if (head.dry_run !== undefined)
    throw new ApiError(
      'not-supported',
      path.at('dry_run'),
      'a dry run is requested next to the type of a request to /v1/metadata',
    )
}

/** `changesOnly` is where to say that only operations on metadata may stand here; null where everything may. */
function readCommand(
  table: RequestTable,
  endpoint: Endpoint,
  head: Envelope,
  place: EnvelopePlace,
  changesOnly: Path | null,
): Command {
  const { type, version } = head
  const args = endpoint.args(place)
  const path = args.run
  const given = <T>(schema: Schema<T>): T => decodeArgs(schema, head, place, args)

  const operation = endpoint.operation(type, version)
  if (operation) {
    const json = argsOf(head, place, (empty) => void operation.prepare(empty, path, args.decode))
    checkStorable(json, args.decode)
    const prepared = operation.prepare(json, path, args.decode)
    return { kind: 'operation', type, operation: prepared, path, condition: conditionOf(endpoint, head, place) }
  }
  const known = readNamed()
  if (!known) throw unknownType(table, endpoint, head, place)
  if (known.kind !== 'bulk') refuseCondition(head, place, `"${type}" touches no objects that could have been changed`)
  if (changesOnly && known.kind !== 'bulk' && known.kind !== 'reload')
    throw new ApiError('not-supported', changesOnly, `"${type}" changes no metadata that could be tried`)
  return known

  function readRunSql(sourceKind: SourceKind | null): Command {
    const sql = given(runSqlArgs)
    // the protocol ends texts with NUL
    checkStorable(sql, args.decode)
    return { kind: 'run-sql', type, args: sql, sourceKind, path }
  }

  function readRows(): RowOperation | null {
    const found = rowTypes.find((name) => name === type)
    switch (found) {
      case undefined:
        return null
      case 'select':
        return { type: found, args: given(selectRowsArgs) }
      case 'count':
        return { type: found, args: given(countRowsArgs) }
      case 'insert':
        return { type: found, args: given(insertRowsArgs) }
      case 'update':
        return { type: found, args: given(updateRowsArgs) }
      case 'delete':
        return { type: found, args: given(deleteRowsArgs) }
    }
  }

  function readNamed(): Command | null {
    const read = endpoint.read(type, version)
    if (read) {
      const json = argsOf(head, place, (empty) => void read.prepare(empty, args.decode))
      return { kind: 'read', type, operation: read.prepare(json, args.decode), version, path }
    }
    if (version === 2) return null
    const mode = endpoint.bulks.get(type)
    if (mode) return readBulk(table, endpoint, head, place, mode, changesOnly)
    // known elsewhere only: distinguished from an unknown name where only changes are allowed
    const rows = changesOnly ? table.endpoints['/v2/query'] : endpoint
    const sourceKind = rows.runSql.get(type)
    if (sourceKind !== undefined) return readRunSql(sourceKind)
    const operation = rows.rows ? readRows() : null
    if (operation) return { kind: 'rows', type, operation, path }
    if (endpoint.reloads && type === 'reload_metadata')
      return { kind: 'reload', type, args: given(reloadMetadataArgs), path }
    if (endpoint.reloads && type === 'reload_remote_schema')
      return { kind: 'reload', type, args: reloadOf(given(namedRemoteSchemaArgs).name), path }
    return null
  }
}

function readBulk(
  table: RequestTable,
  endpoint: Endpoint,
  head: Envelope,
  place: EnvelopePlace,
  mode: BulkCommand['mode'],
  changesOnly: Path | null,
): BulkCommand {
  const args = endpoint.args(place)
  const members = decodeArgs(bulkArgs, head, place, args).map((member, i) => {
    const at: EnvelopePlace = { run: args.run.at(i), decode: args.decode.at(i) }
    refuseDryRun(member, at.decode)
    if (mode === 'keep-going' && changesOnly === null && isNotServed(member.type, table))
      return refused(member.type, unknownType(table, endpoint, member, at), at)
    const command = readCommand(table, endpoint, member, at, mode === 'atomic' ? endpoint.args(at).run : changesOnly)
    if (mode === 'atomic') refuseCondition(member, at, 'the members of an atomic bulk have one condition: its own')
    if (mode === 'concurrent') return readingOnly(command)
    if (mode === 'atomic' && command.kind === 'reload')
      throw new ApiError('not-supported', command.path, 'an atomic bulk does not reload metadata')
    return command
  })
  return { kind: 'bulk', type: head.type, mode, members, path: args.run, condition: conditionOf(endpoint, head, place) }
}

/** A member of a bulk_keep_going that answers with its error while the rest run. */
const refused = (type: string, error: ApiError, { run }: EnvelopePlace): ReadCommand => ({
  kind: 'read',
  type,
  operation: { effects: 'none', answer: () => Promise.reject(error) },
  version: 1,
  path: run,
})

/** A member of a concurrent_bulk. SQL whose words say nothing of writing runs in a transaction that may only read. */
function readingOnly(command: Command): Command {
  if (modifies(command) || writesRows(command)) throw onlyReads(command.path)
  if (command.kind !== 'run-sql' || command.args.read_only) return command
  if (command.args.no_transaction) throw onlyReads(command.path)
  return { ...command, args: { ...command.args, read_only: true } }
}

function conditionOf({ name }: Endpoint, head: Envelope, place: EnvelopePlace): Condition | null {
  if (name !== '/v1/metadata') refuseCondition(head, place, 'conditions are for requests to /v1/metadata')
  const { if_unchanged_since: since = null, as_drafted: draft = null } = head
  return since === null && draft === null ? null : { since, draft, path: place.run }
}

/** A condition that cannot be checked refuses the request. */
function refuseCondition(head: Envelope, { run }: EnvelopePlace, reason: string): void {
  for (const condition of ['if_unchanged_since', 'as_drafted'] as const)
    if (head[condition] !== undefined) throw new ApiError('not-supported', run.at(condition), reason)
}

function decodeArgs<T>(schema: Schema<T>, head: Envelope, place: EnvelopePlace, args: EnvelopePlace): T {
  const json = argsOf(head, place, (empty) => void read(decodeShallow(schema, empty)))
  return read(decodeShallow(schema, json, args.decode.keys))
}

/** Missing arguments count as `{}` where nothing in them is required (reference/metadata-requests#body). */
function argsOf(head: Envelope, place: EnvelopePlace, tryEmpty: (empty: object) => void): unknown {
  if (head.args !== undefined) return head.args
  try {
    tryEmpty({})
    return {}
  } catch {
    throw new ApiError('parse-failed', place.decode, 'key "args" not found')
  }
}

function unknownType(
  table: RequestTable,
  endpoint: Endpoint,
  { type, version }: Envelope,
  place: EnvelopePlace,
): ApiError {
  if (version === 2 && (endpoint.operation(type, 1) || endpoint.read(type, 1) || type === 'reload_metadata'))
    return new ApiError('parse-failed', place.decode.at('version'), `"${shorten(type)}" has no version 2`)
  if (isNotServed(type, table))
    return new ApiError('not-supported', place.decode, `"${shorten(type)}" is not served by this version`)
  const prefix = /^([a-zA-Z]+)_/.exec(type)?.[1]
  const backend = table.kinds.find(({ prefixes }) => prefix !== undefined && prefixes.includes(prefix))?.kind ?? prefix
  const text =
    backend === undefined || endpoint.name !== '/v1/metadata'
      ? `unknown metadata command "${shorten(type)}"`
      : `unknown metadata command "${shorten(type)}" for backend ${backend}`
  return new ApiError('parse-failed', place.decode, text)
}

/** An operation that the contract knows and no endpoint has. */
const isNotServed = (type: string, { kinds, types }: RequestTable): boolean =>
  !types.has(type) &&
  isKnownName(
    type,
    types,
    kinds.flatMap(({ prefixes }) => prefixes),
  )

const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
