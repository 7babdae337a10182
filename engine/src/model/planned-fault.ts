import { addressText, findObject, type JsonObject, type ObjectAddress, putObject } from '@svc/schema'
import type { DatabaseTable } from '../backends/index.ts'
import type { Fault, FaultCause } from './fault.ts'
import type { Model } from './model.ts'
import { updateModel } from './update-model.ts'

export interface PlannedFault {
  /** Null: nothing is wrong with the object, once the tables in `assumed` are tracked. */
  readonly fault: Fault | null
  /**
   * Tables that the database has and the document does not track, checked as if it did with the default configuration.
   */
  readonly assumed: readonly ObjectAddress[]
}

/**
 * Why an object is inconsistent, as a plan checks it whose members arrive in any order (docs/dry-run.md): with cause
 * `metadata` a later member could mend it, any other cause is final.
 */
export function plannedFault(model: Model, object: ObjectAddress): PlannedFault {
  const key = addressText(object)
  const assumed: ObjectAddress[] = []
  let current = model
  for (;;) {
    const fault = current.faults.get(key)
    if (!fault) return { fault: null, assumed }
    const missing = missingTable(current, fault)
    if (!missing) return { fault: { ...fault, cause: finalCause(current, fault) }, assumed }
    assumed.push(missing)
    current = track(current, missing)
  }
}

/** The first table to track that would bring the object nearer; it may be a relationship that waits for it. */
function missingTable(model: Model, fault: Fault): ObjectAddress | undefined {
  if (fault.cause !== 'metadata') return undefined
  for (const need of fault.needs.flatMap(eitherKind)) {
    const behind = model.faults.get(addressText(need))
    const missing = behind ? missingTable(model, behind) : need
    if (missing?.type === 'table' && isTrackable(model, missing)) return missing
  }
  return undefined
}

const isTrackable = (model: Model, table: ObjectAddress): boolean =>
  findObject(model.input.document, table) === undefined && databaseTable(model, table) !== undefined

function databaseTable({ input }: Model, table: ObjectAddress): DatabaseTable | undefined {
  const source = table.parent && findObject(input.document, table.parent)
  const state = input.sources.get(String(source?.value.name))
  return state?.status === 'ready' ? state.introspection.tables.get(table.own) : undefined
}

function track(model: Model, at: ObjectAddress): Model {
  const { schema, name } = databaseTable(model, at)?.table ?? { schema: '', name: '' }
  const value: JsonObject = { table: { name, schema } }
  const document = putObject(model.input.document, at, { type: 'table', value, children: {} })
  return updateModel(model, { ...model.input, document })
}

/** What an object needs may be declared already and be inconsistent itself, or be a table that the database lacks. */
function finalCause(model: Model, fault: Fault): FaultCause {
  if (fault.cause !== 'metadata') return fault.cause
  for (const need of fault.needs.flatMap(eitherKind)) {
    const behind = model.faults.get(addressText(need))
    if (behind) return finalCause(model, behind)
    if (need.type === 'table' && isLacking(model, need)) return 'database'
  }
  return 'metadata'
}

/** A filter does not say which kind of relationship it goes over. */
const eitherKind = (need: ObjectAddress): readonly ObjectAddress[] =>
  need.type === 'object_relation' ? [need, { ...need, type: 'array_relation' }] : [need]

/** Of a source that cannot be reached nothing is known to be missing. */
function isLacking(model: Model, table: ObjectAddress): boolean {
  const source = table.parent && findObject(model.input.document, table.parent)
  const state = model.input.sources.get(String(source?.value.name))
  return state?.status === 'ready' && !state.introspection.tables.has(table.own)
}
