import {
  bulkArgs,
  decode,
  decodeShallow,
  type Envelope,
  envelope,
  getMetadataChangesArgs,
  insertRowsArgs,
  listOfSourceArgs,
  reloadMetadataArgs,
  runSqlArgs,
  type Schema,
  testWebhookTransformArgs,
} from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import { metadataOperation, type Operation, queryOperation, read } from '../metadata/index.ts'
import type { AdminEndpoint } from './answer.ts'
import { checkStorable } from './check-storable.ts'
import type { AdminRequest, BulkCommand, Command, Condition } from './command.ts'

/** Where an envelope stands: as run-time errors show it, and as decode errors do (spec 01 §1.5). */
interface Place {
  readonly run: Path
  readonly decode: Path
}

interface Endpoint {
  readonly name: AdminEndpoint
  /** The arguments of an envelope. */
  args(place: Place): Place
  operation(type: string, version: 1 | 2): Operation | undefined
  readonly bulks: Readonly<Record<string, BulkCommand['mode']>>
  readonly reads: boolean
  readonly rows: readonly string[]
}

const rowTypes = ['run_sql', 'pg_run_sql', 'insert']

const endpoints: Readonly<Record<AdminEndpoint, Endpoint>> = {
  '/v1/metadata': {
    name: '/v1/metadata',
    args: ({ run, decode }) => ({ run: run.at('args'), decode: decode.at('args') }),
    operation: metadataOperation,
    bulks: { bulk: 'plain', bulk_keep_going: 'keep-going', bulk_atomic: 'atomic' },
    reads: true,
    rows: [],
  },
  '/v1/query': {
    name: '/v1/query',
    // its decode errors leave `args` out
    args: ({ run, decode }) => ({ run: run.at('args'), decode }),
    operation: queryOperation,
    bulks: { bulk: 'plain' },
    reads: true,
    rows: ['run_sql', 'insert'],
  },
  '/v2/query': {
    name: '/v2/query',
    args: ({ run, decode }) => ({ run, decode: decode.at('args') }),
    operation: () => undefined,
    bulks: { bulk: 'plain' },
    reads: false,
    rows: rowTypes,
  },
}

/**
 * Decodes a body with all its members (spec 01 §1.2). Throws parse-failed; not-supported for what a dry run or an
 * atomic bulk cannot hold (wire.md).
 */
export function readRequest(endpoint: AdminEndpoint, body: unknown): AdminRequest {
  const root: Place = { run: Path.root, decode: Path.root }
  const head = read(decode(envelope, body))
  const atMetadata = endpoint === '/v1/metadata'
  const dryRun = head.dry_run ?? null
  if (!atMetadata) refuseDryRun(head, Path.root)
  const refuse = dryRun === null ? null : Path.root.at('dry_run')
  return {
    command: readCommand(endpoints[endpoint], head, root, refuse),
    resourceVersion: atMetadata ? (head.resource_version ?? null) : null,
    dryRun,
  }
}

/** Where nothing can be tried, asking for it must not end in doing it. */
function refuseDryRun(head: Envelope, path: Path): void {
  if (head.dry_run !== undefined)
    throw new ApiError(
      'not-supported',
      path.at('dry_run'),
      'a dry run is asked for beside the type of a request to /v1/metadata',
    )
}

/** `changesOnly` is where to say that only operations on metadata may stand here; null where everything may. */
function readCommand(endpoint: Endpoint, head: Envelope, place: Place, changesOnly: Path | null): Command {
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
  if (!known) throw unknownType(endpoint, head, place)
  if (known.kind !== 'bulk') refuseCondition(head, place, `"${type}" touches no objects that could have been changed`)
  if (changesOnly && known.kind !== 'bulk' && known.kind !== 'reload')
    throw new ApiError('not-supported', changesOnly, `"${type}" changes no metadata that could be tried`)
  return known

  function readRunSql(): Command {
    const sql = given(runSqlArgs)
    // the protocol ends texts with NUL
    checkStorable(sql, args.decode)
    return { kind: 'run-sql', type, args: sql, path }
  }

  function readNamed(): Command | null {
    const mode = Object.hasOwn(endpoint.bulks, type) ? endpoint.bulks[type] : undefined
    if (mode && version === 1) return readBulk(endpoint, head, place, mode, changesOnly)
    // known elsewhere only: told apart from an unknown name where changes alone are allowed
    const rows = changesOnly ? rowTypes : endpoint.rows
    if (rows.includes(type) && version === 1)
      return type === 'insert' ? { kind: 'insert', type, args: given(insertRowsArgs), path } : readRunSql()
    if (!endpoint.reads) return null
    switch (type) {
      case 'export_metadata':
        return { kind: 'export', type, version, path }
      case 'get_inconsistent_metadata':
        return { kind: 'inconsistent', type, version, path }
      case 'get_metadata_changes':
        if (endpoint.name !== '/v1/metadata' || version === 2) return null
        return { kind: 'changes', type, args: given(getMetadataChangesArgs), path }
      case 'test_webhook_transform':
        if (endpoint.name !== '/v1/metadata' || version === 2) return null
        return { kind: 'test-transform', type, args: given(testWebhookTransformArgs), path }
      case 'reload_metadata':
        return version === 2 ? null : { kind: 'reload', type, args: given(reloadMetadataArgs), path }
    }
    const of = endpoint.name === '/v1/metadata' && version === 1 ? listed(type) : null
    return of && { kind: 'list', type, of, args: given(listOfSourceArgs), path }
  }
}

/** What `get_native_query` and `get_logical_model` list (spec 01 §2.15). */
function listed(type: string): 'native_query' | 'logical_model' | null {
  const [, name] = /^(?:(?:pg|postgres)_)?get_(native_query|logical_model)$/.exec(type) ?? []
  return name === 'native_query' || name === 'logical_model' ? name : null
}

function readBulk(
  endpoint: Endpoint,
  head: Envelope,
  place: Place,
  mode: BulkCommand['mode'],
  changesOnly: Path | null,
): BulkCommand {
  const args = endpoint.args(place)
  const members = decodeArgs(bulkArgs, head, place, args).map((member, i) => {
    const at: Place = { run: args.run.at(i), decode: args.decode.at(i) }
    refuseDryRun(member, at.decode)
    const command = readCommand(endpoint, member, at, mode === 'atomic' ? endpoint.args(at).run : changesOnly)
    if (mode === 'atomic') refuseCondition(member, at, 'the members of an atomic bulk have one condition: its own')
    if (mode === 'atomic' && command.kind === 'reload')
      throw new ApiError('not-supported', command.path, 'an atomic bulk does not reload metadata')
    return command
  })
  return { kind: 'bulk', type: head.type, mode, members, path: args.run, condition: conditionOf(endpoint, head, place) }
}

function conditionOf({ name }: Endpoint, head: Envelope, place: Place): Condition | null {
  if (name !== '/v1/metadata') refuseCondition(head, place, 'conditions are for requests to /v1/metadata')
  const { if_unchanged_since: since } = head
  return since === undefined ? null : { since, path: place.run.at('if_unchanged_since') }
}

/** What could not be held to must not be done regardless. */
function refuseCondition(head: Envelope, { run }: Place, reason: string): void {
  if (head.if_unchanged_since !== undefined) throw new ApiError('not-supported', run.at('if_unchanged_since'), reason)
}

function decodeArgs<T>(schema: Schema<T>, head: Envelope, place: Place, args: Place): T {
  const json = argsOf(head, place, (empty) => void read(decodeShallow(schema, empty)))
  return read(decodeShallow(schema, json, args.decode.keys))
}

/** Missing arguments are as good as `{}` where nothing in them is required (spec 01 §1.2). */
function argsOf(head: Envelope, place: Place, tryEmpty: (empty: object) => void): unknown {
  if (head.args !== undefined) return head.args
  try {
    tryEmpty({})
    return {}
  } catch {
    throw new ApiError('parse-failed', place.decode, 'key "args" not found')
  }
}

function unknownType(endpoint: Endpoint, { type, version }: Envelope, place: Place): ApiError {
  if (version === 2 && (endpoint.operation(type, 1) || type === 'reload_metadata'))
    return new ApiError('parse-failed', place.decode.at('version'), `"${shorten(type)}" has no version 2`)
  const prefix = /^([a-zA-Z]+)_/.exec(type)?.[1]
  const backend = prefix === 'pg' ? 'postgres' : prefix
  const text =
    backend === undefined || endpoint.name !== '/v1/metadata'
      ? `unknown metadata command "${shorten(type)}"`
      : `unknown metadata command "${shorten(type)}" for backend ${backend}`
  return new ApiError('parse-failed', place.decode, text)
}

const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
