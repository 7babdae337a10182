/** What each endpoint accepts (reference/metadata-requests). */
import type { SourceKind } from '../backends/index.ts'
import type { Path } from '../errors.ts'
import { type Operation, operationTable } from '../metadata/index.ts'
import type { AdminEndpoint } from './answer.ts'
import type { BulkCommand } from './command.ts'
import type { ReadOperation } from './read-operation.ts'
import { type Reads, readTable } from './read-table.ts'

/**
 * Where an envelope stands: as run-time errors show it, and as decode errors do (reference/metadata-requests#paths).
 */
export interface EnvelopePlace {
  readonly run: Path
  readonly decode: Path
}

/** What an endpoint accepts, by name. */
export interface Endpoint {
  readonly name: AdminEndpoint
  /** The arguments of an envelope. */
  args(place: EnvelopePlace): EnvelopePlace
  operation(type: string, version: 1 | 2): Operation | undefined
  read(type: string, version: 1 | 2): ReadOperation | undefined
  readonly bulks: ReadonlyMap<string, BulkCommand['mode']>
  readonly reloads: boolean
  readonly stored: ReadonlySet<string>
  /** With the kind that the source has to be of; null: any. */
  readonly runSql: ReadonlyMap<string, SourceKind | null>
  /** Operations on rows. */
  readonly rows: boolean
}

/** What is neither an operation nor a read. */
export const rowTypes = ['select', 'count', 'insert', 'update', 'delete'] as const

/** Requests on /v1/metadata whose changes the catalogue has: each is a request of its own, never a member of a bulk. */
export const storedRequestTypes = ['apply_draft', 'restore_metadata'] as const

const ownTypes = [
  ...storedRequestTypes,
  'reload_metadata',
  'reload_remote_schema',
  ...rowTypes,
  'bulk',
  'bulk_keep_going',
  'bulk_atomic',
  'concurrent_bulk',
]

/** All requests that the metadata endpoints take. */
export interface RequestTable {
  readonly endpoints: Readonly<Record<AdminEndpoint, Endpoint>>
  readonly kinds: readonly SourceKind[]
  /** Every name of an operation, to distinguish an unknown one from one of another endpoint. */
  readonly types: ReadonlySet<string>
}

/** Returns the requests for these kinds of source; `given`: reads that other modules add. */
export function requestTable(kinds: readonly SourceKind[], given: Reads): RequestTable {
  const operations = operationTable(kinds)
  const reads = readTable(kinds, given)
  const runSql = new Map<string, SourceKind | null>([
    ['run_sql', null],
    ...kinds.flatMap((kind) => kind.prefixes.map((prefix) => [`${prefix}_run_sql`, kind] as const)),
  ])
  const read = (type: string, version: 1 | 2) => {
    const operation = reads.get(type)
    if (operation?.besideSql) return undefined
    return version === 1 || operation?.hasVersion2 ? operation : undefined
  }
  return {
    kinds,
    types: new Set([...operations.names, ...reads.keys(), ...runSql.keys(), ...ownTypes]),
    endpoints: {
      '/v1/metadata': {
        name: '/v1/metadata',
        args: ({ run, decode }) => ({ run: run.at('args'), decode: decode.at('args') }),
        operation: operations.metadata,
        read,
        bulks: new Map([
          ['bulk', 'plain'],
          ['bulk_keep_going', 'keep-going'],
          ['bulk_atomic', 'atomic'],
        ]),
        reloads: true,
        stored: new Set(storedRequestTypes),
        runSql: new Map(),
        rows: false,
      },
      '/v1/query': {
        name: '/v1/query',
        // its decode errors leave `args` out
        args: ({ run, decode }) => ({ run: run.at('args'), decode }),
        operation: operations.query,
        read: (type, version) => (reads.get(type)?.onQuery ? read(type, version) : undefined),
        bulks: new Map([['bulk', 'plain']]),
        reloads: true,
        stored: new Set(),
        runSql: new Map([['run_sql', null]]),
        rows: true,
      },
      '/v2/query': {
        name: '/v2/query',
        args: ({ run, decode }) => ({ run, decode: decode.at('args') }),
        operation: () => undefined,
        read: (type, version) => (version === 1 && reads.get(type)?.besideSql ? reads.get(type) : undefined),
        bulks: new Map([
          ['bulk', 'plain'],
          ['concurrent_bulk', 'concurrent'],
        ]),
        reloads: false,
        stored: new Set(),
        runSql,
        rows: true,
      },
    },
  }
}
