import { type Json, objectValue } from '@svc/schema'
import {
  type Capture,
  type CapturedColumns,
  type CaptureOptions,
  capturedOperations,
  type DatabaseTable,
} from '../backends/index.ts'
import { defineEffects, type PlacedObject, type SourceEffects } from '../changes/index.ts'
import { ApiError } from '../errors.ts'

type TriggerEffect =
  | { readonly effect: 'install'; readonly capture: Capture }
  /** The trigger was dropped: what it captured remains, and is delivered no more. */
  | { readonly effect: 'leave'; readonly trigger: string }
  /** It captures nothing: its table is not there, or is a view, which metadata shows as inconsistent. */
  | { readonly effect: 'stop'; readonly trigger: string }

/**
 * What event triggers do to the databases of their sources (reference/event-triggers#in-the-database,
 * reference/event-triggers#what-goes-with-it).
 */
export const eventTriggerEffects = (options: CaptureOptions): SourceEffects =>
  defineEffects<TriggerEffect & Json>({
    kind: 'event-trigger',
    types: ['event_trigger'],
    nameTaken: (name) => `Event trigger with name "${name}" already exists`,
    effectsOf: ({ old, new: now }) => {
      const effect = now ? placeTrigger(now) : old && leave(nameOf(old))
      return effect ? [effect as TriggerEffect & Json] : []
    },
    async execute(effects, { source, transaction, isEmptied, path }) {
      if (!transaction.changeCapture)
        throw new ApiError('not-supported', path, `Event triggers are not supported for ${source.backend.kind} sources`)
      const install = effects.flatMap((one) => (one.effect === 'install' ? [one.capture] : []))
      const installed = new Set(install.map(({ trigger }) => trigger))
      // one that moves to another source over this database is there under its name, and so are its events
      const leaving = effects.flatMap((one) => (one.effect === 'install' || installed.has(one.trigger) ? [] : [one]))
      await transaction.changeCapture(
        {
          drop: leaving.map(({ trigger }) => ({ trigger, operations: capturedOperations })),
          archive: leaving.flatMap(({ effect, trigger }) => (effect === 'leave' ? [trigger] : [])),
          install,
          forget: isEmptied,
        },
        options,
        path,
      )
    },
  })

const leave = (trigger: string): TriggerEffect => ({ effect: 'leave', trigger })

const nameOf = ({ object }: PlacedObject) => String(object.value.name)

/** A trigger that is only invoked by hand needs the tables of its events too. */
function placeTrigger(placed: PlacedObject): TriggerEffect {
  const { name, definition, trigger_on_replication } = objectValue(placed.object, 'event_trigger')
  const known = placed.table?.known
  if (!known || isView(known)) return { effect: 'stop', trigger: name }
  const operations = capturedOperations.flatMap((operation) => {
    const declared = definition[operation]
    return declared ? [[operation, { listen: declared.columns, payload: declared.payload ?? '*' }] as const] : []
  })
  return {
    effect: 'install',
    capture: {
      trigger: name,
      table: known.table,
      columns: columnsOf(known),
      operations: Object.fromEntries(operations) as Record<
        string,
        { readonly listen: CapturedColumns; readonly payload: CapturedColumns }
      >,
      onReplication: trigger_on_replication ?? null,
      ...(known.primaryKey && { key: known.primaryKey.columns }),
    },
  }
}

const isView = ({ kind }: DatabaseTable): boolean => kind === 'view' || kind === 'materialized-view'

const columnsOf = ({ columns }: DatabaseTable): Capture['columns'] => columns.map(({ name, type }) => ({ name, type }))
