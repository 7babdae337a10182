import { decodeShallow, type Json, type Schema } from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import type { Draft, ServedMetadata, ServedState } from '../changes/index.ts'
import type { Path } from '../errors.ts'
import { type NamedSource, read, refuseOtherKind, sourceOfArgs } from '../metadata/index.ts'
import type { Session } from '../session.ts'
import type { Overruled, RequestFacts } from './answer.ts'
import { checkStorable } from './check-storable.ts'

/** What a read may read. */
export interface ReadContext {
  /** Metadata and databases as the members of a bulk before it have left them. */
  readonly draft: Draft
  readonly served: ServedMetadata
  readonly session: Session
  readonly facts: RequestFacts
  /** Of the envelope. */
  readonly version: 1 | 2
  /** Of its arguments, as run-time errors show it. */
  readonly path: Path
  /** Runs work on the newest metadata while no other request of this process changes it. */
  exclusively<Result>(work: (state: ServedState) => Promise<Result>): Promise<Result>
  /** Receives what other clients own and the operation hands over. */
  readonly overruled: Overruled[]
}

/**
 * Effects outside of metadata: none, or something that remains (an event is created, a state stored) and must not be
 * done again when its request is tried again on a newer document.
 */
type ReadEffects = 'none' | 'lasting'

/** The scope of an access token that it needs; null: it needs the admin secret. */
type ReadScope = 'read' | 'change' | 'events' | null

interface ReadDefinition<Args> {
  readonly effects: ReadEffects
  readonly scope: ReadScope
  /** Whether the older /v1/query has it too (reference/metadata-requests#endpoints). */
  readonly onQuery?: true
  /** It stands next to run_sql, on /v2/query, and nowhere else. */
  readonly besideSql?: true
  /** Whether the envelope may say version 2. */
  readonly hasVersion2?: true
  /** Its texts reach no database: those with a NUL, or half a surrogate pair, are texts like others. */
  readonly takesAnyText?: true
  /** Throws ApiError at `path` or below. */
  answer(args: NoInfer<Args>, context: ReadContext): Json | Promise<Json>
}

/**
 * An operation that changes no metadata: it reads, or acts on something else (redeliver_event). It bumps no
 * version, and dry runs and atomic bulks refuse it.
 */
export interface ReadOperationDefinition<Args> extends ReadDefinition<Args> {
  readonly type: string
  readonly args: Schema<Args>
}

/** One that is called with the prefix of a kind of source, and without one for the first kind. */
export interface SourceReadDefinition<Args> extends Omit<ReadDefinition<Args>, 'answer'> {
  /** Without prefix. */
  readonly name: string
  readonly args: (kind: SourceKind) => Schema<Args>
  /** The sources it speaks of, which must be of the kind; `args.source` when left out. */
  sources?(args: NoInfer<Args>, path: Path): readonly NamedSource[]
  /** Throws ApiError at `path` or below. */
  answer(args: NoInfer<Args>, context: ReadContext, kind: SourceKind): Json | Promise<Json>
}

export interface ReadOperation {
  readonly type: string
  /** What its arguments are. */
  readonly args: Schema<unknown>
  readonly scope: ReadScope
  /** Whether it is on objects of one source, which its arguments name. */
  readonly isOfSource: boolean
  readonly onQuery: boolean
  readonly besideSql: boolean
  readonly hasVersion2: boolean
  /** Reads the arguments. Throws parse-failed at `decodePath` or below. */
  prepare(args: unknown, decodePath: Path): PreparedRead
}

export interface PreparedRead {
  readonly effects: ReadEffects
  answer(context: ReadContext): Promise<Json>
}

export interface SourceRead {
  readonly name: string
  of(kind: SourceKind): ReadOperation
}

export function defineRead<Args>(definition: ReadOperationDefinition<Args>): ReadOperation {
  const { type, effects, scope, onQuery = false, besideSql = false, hasVersion2 = false } = definition
  return {
    type,
    args: definition.args,
    scope,
    isOfSource: false,
    onQuery,
    besideSql,
    hasVersion2,
    prepare(json, decodePath) {
      if (!definition.takesAnyText) checkStorable(json, decodePath)
      const args = read(decodeShallow(definition.args, json, decodePath.keys))
      return { effects, answer: async (context) => definition.answer(args, context) }
    },
  }
}

export function defineSourceRead<Args>(definition: SourceReadDefinition<Args>): SourceRead {
  const { name, args: argsOf, sources = sourceOfArgs, answer, ...others } = definition
  return {
    name,
    of: (kind) => ({
      ...defineRead<Args>({
        ...others,
        type: `${kind.prefixes[0]}_${name}`,
        args: argsOf(kind),
        answer(args, context) {
          for (const source of sources(args, context.path))
            refuseOtherKind(context.draft.document, source, kind, context.path)
          return answer(args, context, kind)
        },
      }),
      isOfSource: true,
    }),
  }
}
