/** Queries written in SQL and what they return (reference/metadata-operations#native-queries-and-logical-models). */
import {
  address,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  parseNativeQueryCode,
  sourceAddress,
  type TrackNativeQueryArgs,
  trackNativeQueryArgs,
  untrackNativeQueryArgs,
} from '@svc/schema'
import type { SourceKind } from '../../backends/index.ts'
import type { Path } from '../../errors.ts'
import { withNew, withoutObject, withValue } from '../change-object.ts'
import { requireObject, requireReady, requireSource } from '../find-table.ts'
import { defineSourceOperation, type SourceOperation } from '../operation.ts'

const nativeQueryAddress = (source: string, name: string): ObjectAddress =>
  address('native_query', ownKey('native_query', { root_field_name: name }), sourceAddress(source))

/**
 * Returns the native query that an operation names. Throws not-found, the code for a missing one
 * (reference/metadata-requests#errors).
 */
export function requireNativeQuery(document: MetadataDocument, source: string, name: string, path: Path, at: Path) {
  requireSource(document, source, path, path.at('source'))
  const found = nativeQueryAddress(source, name)
  const text = `native query "${name}" does not exist in source: ${source}`
  return { at: found, object: requireObject(document, found, path, at, text, 'not-found') }
}

/**
 * Every `{{argument}}` of the SQL must be declared; each that is declared must be used where the database does not
 * check the SQL. Throws validation-failed (reference/database-objects#native-queries).
 */
function checkArguments(
  { code, arguments: declared = {} }: TrackNativeQueryArgs,
  path: Path,
  { checksQueries }: SourceKind,
): void {
  const parsed = parseNativeQueryCode(code)
  const parts = parsed.ok ? parsed.parts : []
  if (!checksQueries) {
    const unused = Object.keys(declared).filter(
      (name) => !parts.some((part) => part.kind === 'argument' && part.name === name),
    )
    if (unused.length > 0)
      throw path.error(
        'validation-failed',
        `the code does not use these arguments: ${quotedList(unused)}`,
        'arguments',
        unused[0] ?? '',
      )
  }
  const names = parts.flatMap((part) =>
    part.kind === 'argument' && !Object.hasOwn(declared, part.name) ? [part.name] : [],
  )
  if (names.length === 0) return
  const list = quotedList([...new Set(names)])
  throw path.error('validation-failed', `the code uses arguments that are not declared: ${list}`, 'code')
}

const quotedList = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

function definitionOf({ source: _, ...value }: TrackNativeQueryArgs): JsonObject {
  return value
}

/** track_native_query. already-tracked; what the database says of its SQL makes it inconsistent. */
const trackNativeQuery = defineSourceOperation({
  name: 'track_native_query',
  args: ({ names }) => trackNativeQueryArgs(names.style),
  check: 'object',
  apply(document, args, path, context, kind) {
    requireSource(document, args.source, path, path.at('source'))
    requireReady(args.source, path, context)
    const at = nativeQueryAddress(args.source, args.root_field_name)
    if (findObject(document, at))
      throw path.error('already-tracked', `native query already tracked: "${args.root_field_name}"`, 'root_field_name')
    checkArguments(args, path, kind)
    return withNew(document, at, definitionOf(args))
  },
})

/** update_native_query: another definition under the same name. not-found. An addition of ours. */
const updateNativeQuery = defineSourceOperation({
  name: 'update_native_query',
  args: ({ names }) => trackNativeQueryArgs(names.style),
  check: 'object',
  apply(document, args, path, context, kind) {
    const name = args.root_field_name
    const { at } = requireNativeQuery(document, args.source, name, path, path.at('root_field_name'))
    requireReady(args.source, path, context)
    checkArguments(args, path, kind)
    return withValue(document, at, definitionOf(args))
  },
})

/** untrack_native_query. not-found. */
const untrackNativeQuery = defineSourceOperation({
  name: 'untrack_native_query',
  args: () => untrackNativeQueryArgs,
  check: 'no-new',
  drops: ({ source, root_field_name }) => [nativeQueryAddress(source, root_field_name)],
  apply(document, { source, root_field_name: name }, path) {
    const { at } = requireNativeQuery(document, source, name, path, path.at('root_field_name'))
    return withoutObject(document, at)
  },
})

export const nativeQueryOperations: readonly SourceOperation[] = [
  trackNativeQuery,
  updateNativeQuery,
  untrackNativeQuery,
]
