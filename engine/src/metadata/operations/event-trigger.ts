/**
 * Event triggers (reference/event-triggers#creating-one, reference/event-triggers#what-goes-with-it,
 * reference/event-triggers#cleaning-up). What they do to a database is events/trigger-effects.ts.
 */
import {
  address,
  type CreateEventTriggerArgs,
  childrenOf,
  createEventTriggerArgs,
  declaredEventTrigger,
  deleteEventTriggerArgs,
  eventTriggerCleanupsArgs,
  findObject,
  isEventTriggerName,
  isRecord,
  keyedObject,
  type MetadataDocument,
  nameText,
  type ObjectAddress,
  ownKey,
  type SelectedCleanups,
  setValue,
  sourceAddress,
  tablesWith,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withNew, withoutObject } from '../change-object.ts'
import { checkTransforms } from '../check-transforms.ts'
import { namedTable, requireObject, requireReady, requireSource, requireTable } from '../find-table.ts'
import { type Applied, defineSourceOperation, type SourceOperation, type Warning } from '../operation.ts'
import type { OperationContext } from '../operation-context.ts'
import { declaredField } from './relationship.ts'

const own = (name: string) => ownKey('event_trigger', { name })

/** All of that name in a source: one, unless metadata has duplicates. */
function findEventTriggers(document: MetadataDocument, source: string, name: string): readonly ObjectAddress[] {
  const found = findObject(document, sourceAddress(source))
  if (!found) return []
  return [...tablesWith(found, 'event_trigger')]
    .filter(([, table]) => childrenOf(table, 'event_trigger').has(own(name)))
    .map(([ownTable]) => address('event_trigger', own(name), address('table', ownTable, sourceAddress(source))))
}

/** Returns the trigger of that name. Throws not-exists. */
export function requireEventTrigger(
  document: MetadataDocument,
  source: string,
  name: string,
  path: Path,
  at: Path = path.at('name'),
): ObjectAddress {
  requireSource(document, source, path, path.at('source'))
  const [found] = findEventTriggers(document, source, name)
  if (!found) throw new ApiError('not-exists', path, `event trigger "${name}" does not exist`, { at })
  return found
}

/**
 * create_event_trigger; with `replace` it may exist. already-exists, not-supported for one that would
 * have to move to another table; not-exists for a listened column that the table lacks, unexpected-payload where it is a
 * relationship, say.
 */
const createEventTrigger = defineSourceOperation({
  name: 'create_event_trigger',
  args: ({ names }) => createEventTriggerArgs(names.style),
  check: 'object',
  rereads: namedTable,
  apply(document, args, path, context, { names }) {
    const { source, name, replace } = args
    checkTransforms(args, path)
    const { address: table } = requireTable(document, args, path)
    requireReady(source, path, context)
    const at = address('event_trigger', own(name), table)
    const [known] = findEventTriggers(document, source, name)
    if (!replace && known)
      throw path.error('already-exists', `Event trigger with name "${name}" already exists`, 'name')
    if (known && known.parent?.own !== table.own)
      throw path.error('not-supported', 'cannot replace table or schema for trigger', 'table')
    refuseUnknownColumns(document, args, table, path, context)
    const value = declaredEventTrigger(args, names.style)
    return withNew(document, at, value)
  },
})

function refuseUnknownColumns(
  document: MetadataDocument,
  args: CreateEventTriggerArgs,
  table: ObjectAddress,
  path: Path,
  context: OperationContext,
): void {
  const known = context.table(args.source, table)
  if (!known) return
  for (const operation of ['insert', 'update', 'delete'] as const) {
    const columns = args[operation]?.columns ?? '*'
    if (columns === '*') continue
    const missing = columns.findIndex((column) => !known.columns.includes(column))
    const column = columns[missing]
    if (column === undefined) continue
    const at = path.at(operation, 'columns', missing)
    const declared = findObject(document, table)
    if (declared && declaredField(declared, column))
      throw new ApiError('unexpected-payload', path, `expecting a database column, but "${column}" is another field`, {
        at,
      })
    throw new ApiError('not-exists', path, `column "${column}" does not exist`, { at })
  }
}

/** delete_event_trigger. not-exists. */
const deleteEventTrigger = defineSourceOperation({
  name: 'delete_event_trigger',
  args: () => deleteEventTriggerArgs,
  check: 'no-new',
  apply(document, { source, name }, path) {
    const at = requireEventTrigger(document, source, name, path)
    return withoutObject(document, at)
  },
})

/**
 * pause_ and resume_event_trigger_cleanups (reference/event-triggers#cleaning-up). not-exists for sources, and for
 * triggers without clean-ups.
 */
const setPaused = (name: string, paused: boolean): SourceOperation =>
  defineSourceOperation({
    name,
    args: () => eventTriggerCleanupsArgs,
    check: 'no-new',
    apply: (document, { event_triggers }, path) =>
      chosen(document, event_triggers, path).reduce<Applied>(
        (applied, at) => {
          const value = findObject(applied.document, at)?.value
          if (!value || !isRecord(value.cleanup_config)) return applied
          const changed = { ...value, cleanup_config: { ...value.cleanup_config, paused } }
          return { document: setValue(applied.document, at, changed), touched: [...applied.touched, at] }
        },
        { document, touched: [] },
      ),
  })

function chosen(document: MetadataDocument, selected: SelectedCleanups, path: Path): readonly ObjectAddress[] {
  if ('sources' in selected) {
    const names =
      selected.sources === '*'
        ? [...childrenOf(document, 'source').values()].map(({ value }) => String(value.name))
        : selected.sources
    return names.flatMap((source) => {
      const at = requireKnown(document, source, path)
      return [...tablesWith(at.object, 'event_trigger')].flatMap(([ownTable, table]) =>
        [...childrenOf(table, 'event_trigger').keys()].map((key) =>
          address('event_trigger', key, address('table', ownTable, at.address)),
        ),
      )
    })
  }
  return selected.flatMap(({ source_name: source, event_triggers }) => {
    requireKnown(document, source, path)
    return event_triggers.map((name) => {
      const at = requireEventTrigger(document, source, name, path, path.at('event_triggers'))
      if (!isRecord(findObject(document, at)?.value.cleanup_config))
        throw path.error('not-exists', `cleanup config does not exist for ${name}`, 'event_triggers')
      return at
    })
  })
}

function requireKnown(document: MetadataDocument, source: string, path: Path) {
  const at = sourceAddress(source)
  const text = `source with name ${source} does not exists`
  return { address: at, object: requireObject(document, at, path, path.at('event_triggers'), text) }
}

/** Names are unique in a source (reference/event-triggers#creating-one). Throws not-supported. */
export function refuseDuplicateTriggers(document: MetadataDocument, path: Path): void {
  for (const source of childrenOf(document, 'source').values()) {
    const seen = new Set<string>()
    for (const table of tablesWith(source, 'event_trigger').values())
      for (const [key, { value }] of childrenOf(table, 'event_trigger')) {
        if (seen.has(key))
          throw path.error('not-supported', `Event trigger with duplicate names not allowed: "${String(value.name)}"`)
        seen.add(key)
      }
  }
}

/** Returns warnings of triggers whose names no operation allows: a document may have them. */
export function warnOfTriggerNames(document: MetadataDocument): readonly Warning[] {
  const warnings: Warning[] = []
  for (const [own, source] of childrenOf(document, 'source'))
    for (const [ownTable, table] of tablesWith(source, 'event_trigger'))
      for (const [ownTrigger, { value }] of childrenOf(table, 'event_trigger')) {
        const name = String(value.name)
        if (isEventTriggerName(name)) continue
        const at = address('event_trigger', ownTrigger, address('table', ownTable, address('source', own)))
        warnings.push({
          code: 'illegal-event-trigger-name',
          type: 'event_trigger',
          name: nameText(keyedObject(document, at)),
          message: `the event trigger name "${name}" may not work as expected: a letter, then letters, digits, underscores and hyphens do`,
        })
      }
  return warnings
}

export const eventTriggerOperations: readonly SourceOperation[] = [
  createEventTrigger,
  deleteEventTrigger,
  setPaused('pause_event_trigger_cleanups', true),
  setPaused('resume_event_trigger_cleanups', false),
]
