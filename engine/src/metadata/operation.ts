import {
  type Decoded,
  decodeShallow,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  type ObjectAddress,
  type Schema,
  sourceAddress,
} from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * How the document an operation makes is checked (reference/metadata-requests#consistency):
 * - `object` (B): what it touched must be consistent, and nothing else may become inconsistent;
 * - `no-new` (N): nothing may become inconsistent;
 * - `none` (A): nothing may be inconsistent;
 * - `none-served` (A): nothing may be inconsistent but sources of kinds that this version does not serve, and what refers to them;
 * - `each`: a touched object that is inconsistent is taken back and reported as a warning, unless all are;
 * - `unchecked`: stored as it is.
 */
type Check = 'object' | 'no-new' | 'none' | 'none-served' | 'each' | 'unchecked'

/** Tables of one source that an operation is about to change or name. */
export interface TablesOfSource {
  readonly source: string
  readonly tables: readonly JsonObject[]
}

export type Warning = Readonly<Record<'code' | 'type' | 'name' | 'message', string>>

export interface Applied {
  readonly document: MetadataDocument
  /** What the operation speaks of, and whatever else it changed or removed. */
  readonly touched: readonly ObjectAddress[]
  /** An action whose log is deleted with the change. */
  readonly clearsActionLog?: string
  /** Members of a list that failed while the others went on (`each`). */
  readonly warnings?: readonly Warning[]
  /** Instead of what the operation answers otherwise. */
  readonly answer?: Json
}

/** An operation with its arguments read: a pure function of document and context. */
export interface PreparedOperation {
  readonly type: string
  /** Of its arguments. */
  readonly path: Path
  readonly check: Check
  /** It may change anything: the tables that it changes are read again. */
  readonly isWhole?: true
  /** Tables that are read from the database again before it is tried. */
  readonly rereads: readonly TablesOfSource[]
  /** The tables its arguments name, read or not; a dry run's plan checks untracked ones as if they were tracked. */
  readonly mentions: readonly TablesOfSource[]
  /** What a dropping operation names, under every address it may have: gone already is fine in a plan. */
  readonly drops: readonly ObjectAddress[]
  /** Tables it puts under metadata. */
  readonly tracks: readonly ObjectAddress[]
  apply(document: MetadataDocument, context: OperationContext): Applied
  /** The same in pieces, for an operation that may take longer than other requests should wait. */
  applyInPieces?(document: MetadataDocument, context: OperationContext): LongWork<Applied>
  /** The answer of an operation whose check passed. */
  respond(inconsistent: () => readonly unknown[], warnings: readonly Warning[]): Json
  /** `each`: the errors and warnings it words. */
  readonly wording?: EachWording
}

interface EachWording {
  readonly warning: (address: ObjectAddress, reason: string) => Warning
  readonly allFailed: string
  readonly allowWarnings: boolean
}

export interface OperationDefinition<Args> {
  readonly type: string
  readonly args: Schema<Args>
  readonly check: Check | ((args: NoInfer<Args>) => Check)
  /** Tables to read from the database again before; none when left out. */
  rereads?(args: NoInfer<Args>): readonly TablesOfSource[]
  mentions?(args: NoInfer<Args>): readonly TablesOfSource[]
  drops?(args: NoInfer<Args>): readonly ObjectAddress[]
  tracks?(args: NoInfer<Args>): readonly ObjectAddress[]
  /** Throws ApiError at `path`, the path of the arguments, or below. */
  apply(document: MetadataDocument, args: NoInfer<Args>, path: Path, context: OperationContext): Applied
  /** The same in pieces, where it may take longer than other requests should wait. */
  applyInPieces?(
    document: MetadataDocument,
    args: NoInfer<Args>,
    path: Path,
    context: OperationContext,
  ): LongWork<Applied>
  respond?(args: NoInfer<Args>, inconsistent: () => readonly unknown[], warnings: readonly Warning[]): Json
  wording?(args: NoInfer<Args>): EachWording
}

/**
 * An operation on the objects of a source, which is called with the prefix of the source's kind
 * (reference/metadata-requests#body).
 */
export interface SourceOperationDefinition<Args>
  extends Omit<OperationDefinition<Args>, 'type' | 'args' | 'apply' | 'applyInPieces'> {
  /** Without prefix: `track_table`. */
  readonly name: string
  readonly args: (kind: SourceKind) => Schema<Args>
  /** The sources it speaks of, which must be of the kind; `args.source` when left out. `at` is where their name stands. */
  sources?(args: NoInfer<Args>, path: Path): readonly NamedSource[]
  apply(
    document: MetadataDocument,
    args: NoInfer<Args>,
    path: Path,
    context: OperationContext,
    kind: SourceKind,
  ): Applied
}

export interface NamedSource {
  readonly name: string
  readonly at: Path
}

export interface SourceOperation {
  readonly name: string
  /** The operation for sources of a kind: `pg_track_table`. */
  of(kind: SourceKind): Operation
}

export function defineSourceOperation<Args>(definition: SourceOperationDefinition<Args>): SourceOperation {
  const { name, args: argsOf, sources = sourceOfArgs, apply, ...others } = definition
  return {
    name,
    of: (kind) =>
      defineOperation<Args>({
        ...others,
        type: `${kind.prefixes[0]}_${name}`,
        args: argsOf(kind),
        apply(document, args, path, context) {
          for (const source of sources(args, path)) refuseOtherKind(document, source, kind, path)
          return apply(document, args, path, context, kind)
        },
      }),
  }
}

export function sourceOfArgs(args: unknown, path: Path): readonly NamedSource[] {
  const source = isRecord(args) ? args.source : undefined
  return typeof source === 'string' ? [{ name: source, at: path.at('source') }] : []
}

/** Throws not-exists where the source is of another kind; that it exists at all is for the operation to check. */
export function refuseOtherKind(
  document: MetadataDocument,
  { name, at }: NamedSource,
  { kind }: SourceKind,
  path: Path,
): void {
  const found = findObject(document, sourceAddress(name))
  if (!found) return
  const actual = kindOfSource(found.value)
  if (actual !== kind)
    throw new ApiError(
      'not-exists',
      path,
      `source with name "${name}" has backend type ${actual} which does not match the expected type ${kind}`,
      { at },
    )
}

export interface Operation {
  readonly type: string
  /** What its arguments are. */
  readonly args: Schema<unknown>
  /**
   * Reads the arguments. `path` is where they stand at run time, `decodePath` where decode errors show them: /v1/query
   * leaves `args` out of the latter (reference/metadata-requests#paths). Throws parse-failed.
   */
  prepare(args: unknown, path: Path, decodePath: Path): PreparedOperation
}

export const success: Json = { message: 'success' }

export function defineOperation<Args>(definition: OperationDefinition<Args>): Operation {
  const { type, check } = definition
  return {
    type,
    args: definition.args,
    prepare(json, path, decodePath) {
      const args = read(decodeShallow(definition.args, json, decodePath.keys))
      const rereads = definition.rereads?.(args) ?? []
      const wording = definition.wording?.(args)
      const { applyInPieces } = definition
      return {
        type,
        path,
        check: typeof check === 'function' ? check(args) : check,
        rereads,
        mentions: definition.mentions?.(args) ?? rereads,
        drops: definition.drops?.(args) ?? [],
        tracks: definition.tracks?.(args) ?? [],
        apply: (document, context) => definition.apply(document, args, path, context),
        ...(applyInPieces && { applyInPieces: (document, context) => applyInPieces(document, args, path, context) }),
        respond: (inconsistent, warnings) =>
          definition.respond?.(args, inconsistent, warnings) ??
          (warnings.length > 0 ? { message: 'success', warnings: warnings } : success),
        ...(wording && { wording }),
      }
    },
  }
}

export function read<T>(decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value
  const { path, message, at } = decoded.issue
  throw new ApiError('parse-failed', new Path(path), message, at && { at: new Path(at) })
}
