/** Operations on the whole document (reference/metadata-operations#replace_metadata). */
import {
  address,
  childrenOf,
  emptyDocument,
  findObject,
  ignoredArgs,
  isRecord,
  type Json,
  kindOfSource,
  knownKinds,
  type ListMemory,
  type MetadataDocument,
  type MetadataObject,
  meantKey,
  ownKey,
  putObject,
  type ReplaceMetadataArgs,
  readMetadataInPieces,
  removeObject,
  replaceMetadataArgs,
  setValue,
  sourceAddress,
  tablesWith,
} from '@svc/schema'
import type { SourceKind } from '../../backends/index.ts'
import { ApiError, type Path } from '../../errors.ts'
import { type LateMember, lateMembers } from '../../exact-json/index.ts'
import { finish, type LongWork } from '../../long-work.ts'
import { dropQuery } from '../find-collection.ts'
import { withoutAbsent } from '../find-table.ts'
import { type Applied, defineOperation, type Operation, type Warning } from '../operation.ts'
import { refuseDuplicateTriggers, warnOfTriggerNames } from './event-trigger.ts'
import { refuseRoleCycles } from './inherited-role.ts'

/**
 * replace_metadata (reference/metadata-operations#replace_metadata). parse-failed for what is no metadata, at the value
 * itself; not-supported for the forms without sources when there is no source `default`. `version` is the envelope's.
 */
const replaceMetadata = (version: 1 | 2, kinds: readonly SourceKind[]): Operation =>
  defineOperation({
    type: 'replace_metadata',
    args: replaceMetadataArgs(version),
    check: (args) => (args.allow_inconsistent_metadata ? 'unchecked' : 'none-served'),
    apply: (document, args, path) => finish(replaceInPieces(document, args, path, kinds)),
    applyInPieces: (document, args, path) => replaceInPieces(document, args, path, kinds),
    respond(args, inconsistent, warnings) {
      const said = warnings.length > 0 ? { warnings: warnings.map((warning) => ({ ...warning })) } : {}
      if (args.version === 1) return { message: 'success', ...said }
      const objects = inconsistent()
      return { is_consistent: objects.length === 0, inconsistent_objects: objects as never, ...said }
    },
  })

/** Objects by the bytes that they were read from: a table that is sent again as it was is not parsed. */
const readFrom = new WeakMap<LateMember, MetadataObject>()

function memoryOf(list: Json): ListMemory | undefined {
  const members = Array.isArray(list) ? lateMembers(list) : undefined
  if (!members) return undefined
  return {
    recall(at) {
      const member = members[at]
      return member && readFrom.get(member)
    },
    remember(at, object) {
      const member = members[at]
      if (member) readFrom.set(member, object)
    },
  }
}

/** An unchanged object keeps its reference: comparing the two documents finds only what differs. */
function* replaceInPieces(
  document: MetadataDocument,
  args: ReplaceMetadataArgs,
  path: Path,
  kinds: readonly SourceKind[],
): LongWork<Applied> {
  const at = path.at(...args.metadataPath)
  const metadata = yield* readMetadataInPieces(args.metadata, document, { memoryOf })
  if (!metadata.ok)
    throw new ApiError('parse-failed', at.at(...metadata.issue.path), metadata.issue.message, {
      at: at.at(...metadata.issue.path),
    })
  const warnings = [
    ...metadata.ignored.map((unknown) => unknownKey(unknown, at)),
    ...warnOfTriggerNames(metadata.document),
  ]
  if (warnings.length > 0 && !args.allow_warnings)
    throw new ApiError('metadata-warnings', path, 'failed due to metadata warnings', { internal: warnings })
  const replaced = metadata.version === 3 ? metadata.document : intoDefault(document, metadata.document, path)
  refuseUnknownKinds(replaced, kinds, at)
  if (!args.allow_inconsistent_metadata) refuseUnsupported(replaced, kinds, path)
  refuseRoleCycles(replaced, at, at.at('inherited_roles'))
  refuseDuplicateTriggers(replaced, path)
  return { document: keepHiddenCronTriggers(document, replaced, path), touched: [], warnings }
}

/**
 * A key that the format does not know, at the top or in a source: left out, and said so
 * (reference/metadata-document#top-level).
 */
function unknownKey(unknown: readonly (string | number)[], at: Path): Warning {
  const meant = meantKey(unknown)
  const hint = meant === null ? '' : `: did you mean "${meant}"?`
  return {
    code: 'unknown-key',
    type: 'metadata',
    name: at.at(...unknown).toString(),
    message: `the key "${String(unknown.at(-1))}" is unknown and was ignored${hint}`,
  }
}

/** Agents are kinds too, where metadata has them. Throws invalid-params. */
function refuseUnknownKinds(document: MetadataDocument, served: readonly SourceKind[], at: Path): void {
  const kinds = [...new Set([...knownKinds, ...served.map(({ kind }) => kind)])]
  const agents = findObject(document, address('backend_configs', ownKey('backend_configs', {})))?.value.dataconnector
  for (const { value } of childrenOf(document, 'source').values()) {
    const kind = kindOfSource(value)
    if (kinds.includes(kind) || (isRecord(agents) && Object.hasOwn(agents, kind))) continue
    throw new ApiError(
      'invalid-params',
      at.at('sources'),
      `source "${value.name}" is of the unknown kind "${kind}": expected one of ${kinds.join(', ')}`,
    )
  }
}

/** The older forms know no sources: their tables and functions go into the one called `default`. */
function intoDefault(document: MetadataDocument, older: MetadataDocument, path: Path): MetadataDocument {
  const at = sourceAddress('default')
  const current = findObject(document, at)
  if (!current)
    throw path.error('not-supported', 'cannot import metadata without sources since no default source is defined')
  const given = findObject(older, at)
  const { table: _, function: __, ...others } = current.children
  const children = { ...others, ...given?.children }
  const { rest_endpoint = document.children.rest_endpoint, ...reset } = older.children
  const replaced: MetadataDocument = { children: { ...reset, ...(rest_endpoint && { rest_endpoint }) } }
  return putObject(replaced, at, { ...current, children })
}

/** Triggers that are no part of the exported metadata remain. Throws already-exists for a new one of their name. */
function keepHiddenCronTriggers(before: MetadataDocument, after: MetadataDocument, path: Path): MetadataDocument {
  let kept = after
  for (const [own, trigger] of childrenOf(before, 'cron_trigger')) {
    if (trigger.value.include_in_metadata !== false) continue
    const at = { type: 'cron_trigger', own, parent: null } as const
    const given = findObject(after, at)
    // declared again as what it is: the declaration counts
    if (given?.value.include_in_metadata === false) continue
    if (given)
      throw new ApiError(
        'already-exists',
        path,
        `cron trigger with name "${String(trigger.value.name)}" already exists as a cron trigger with "included_in_metadata" as false`,
      )
    kept = putObject(kept, at, trigger)
  }
  return kept
}

/**
 * clear_metadata: removes everything but the entry of the source `default`
 * (reference/metadata-operations#the-whole-document).
 */
const clearMetadata = defineOperation({
  type: 'clear_metadata',
  args: ignoredArgs,
  check: 'none',
  apply(document) {
    const at = sourceAddress('default')
    const source = findObject(document, at)
    if (!source) return { document: emptyDocument, touched: [] }
    const { name, kind, configuration } = source.value
    const bare = putObject(emptyDocument, at, { type: 'source', value: {}, children: {} })
    const cleared = setValue(bare, at, withoutAbsent({ name, kind, configuration }))
    return { document: cleared, touched: [at] }
  },
})

/**
 * drop_inconsistent_metadata: every inconsistent object is dropped with what is below it
 * (reference/metadata-operations#the-whole-document).
 */
const dropInconsistentMetadata = defineOperation({
  type: 'drop_inconsistent_metadata',
  args: ignoredArgs,
  check: 'none-served',
  apply(document, _, __, context) {
    const objects = context.inconsistentObjects(document)
    const drop = (rest: MetadataDocument, at: (typeof objects)[number]) =>
      findObject(rest, at) ? removeObject(rest, at) : rest
    const queries = context.inconsistentQueries(document)
    return {
      document: queries.reduce(dropQuery, objects.reduce(drop, document)),
      touched: [...objects, ...queries.map(({ collection }) => collection)],
    }
  },
})

/** replace_metadata by the version of its envelope, for these kinds of source. */
export const replacements = (kinds: readonly SourceKind[]) => ({
  1: replaceMetadata(1, kinds),
  2: replaceMetadata(2, kinds),
})

export const documentOperations: readonly Operation[] = [clearMetadata, dropInconsistentMetadata]

/**
 * Throws not-supported for the first thing in a document that sources of its kind cannot have. A request that
 * allows inconsistent metadata stores it as an inconsistent object.
 */
function refuseUnsupported(document: MetadataDocument, kinds: readonly SourceKind[], path: Path): void {
  for (const source of childrenOf(document, 'source').values()) {
    const unsupported = kinds.find(({ kind }) => kind === kindOfSource(source.value))?.unsupported
    const text = unsupported && unsupportedIn(source, unsupported)
    if (text) throw new ApiError('not-supported', path, text)
  }
}

function unsupportedIn(source: MetadataObject, texts: NonNullable<SourceKind['unsupported']>): string | undefined {
  const { customization } = source.value
  if (isRecord(customization) && customization.naming_convention === 'graphql-default' && texts.namingConvention)
    return texts.namingConvention
  if (texts.functions && childrenOf(source, 'function').size > 0) return texts.functions
  if (texts.computedFields && tablesWith(source, 'computed_field').size > 0) return texts.computedFields
  if (texts.eventTriggers && tablesWith(source, 'event_trigger').size > 0) return texts.eventTriggers
  const isEnum = ({ value }: MetadataObject) => value.is_enum === true
  return texts.enums && childrenOf(source, 'table').some(isEnum) ? texts.enums : undefined
}
