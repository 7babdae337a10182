import {
  address,
  findObject,
  isDefaultConfiguration,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  objectValue,
  removeObject,
  setValue,
  sourceAddress,
  type TableConfiguration,
  tableAddress,
  tableText,
} from '@svc/schema'
import type { Introspection } from '../backends/index.ts'
import { ApiError, type Path } from '../errors.ts'
import { DependencyError, withoutAbsent } from '../metadata/index.ts'
import { comparedWithConstants, dependent, dependentsOf, renameInDatabase } from '../model/index.ts'
import type { SourceEnums, SourceFunctions, SourceQueries } from '../sources/index.ts'
import { checkNoNew, newlyInconsistent } from './check-consistency.ts'
import { type Draft, withCurrentModel } from './draft.ts'
import { lostComputedFields, lostFunctions, refuseAlteredFunctions } from './function-changes.ts'
import { type SchemaChange, schemaChange } from './schema-change.ts'

export interface SchemaStep {
  readonly source: string
  readonly before: Introspection
  readonly after: Introspection
  /** The present values of the enum tables, under their present names. */
  readonly enums: SourceEnums
  /** What the functions that metadata names are now. */
  readonly functions: SourceFunctions
  /** What the database says of native queries now. */
  readonly queries: SourceQueries
  readonly cascade: boolean
  readonly path: Path
}

/**
 * A draft after its database changed (reference/metadata-operations#sql): renamed tables and columns are rewritten
 * everywhere, dropped ones are removed with what is theirs; what else breaks by a drop is a dependency-error, or
 * removed too with cascade. Anything else that breaks is 500 unexpected.
 */
export function adaptToSchema(draft: Draft, step: SchemaStep): Draft {
  const { source, after, path } = step
  const state = draft.states.get(source)
  if (state?.status !== 'ready') return draft
  const isTracked = (table: JsonObject) => findObject(draft.document, tableAddress(source, table)) !== undefined
  const change = schemaChange(step.before, after, isTracked)
  refuseRetyped(draft, change, step)
  // a dropped table is removed first: another may have taken its name
  const dropped = change.droppedTables.reduce(
    (document, table) => removeObject(document, tableAddress(source, table)),
    draft.document,
  )
  const columns = change.changedColumns.flatMap(({ was, renamed }) => renamed.map((one) => ({ table: was, ...one })))
  const { model } = withCurrentModel({ ...draft, document: dropped })
  const renamed = renameInDatabase(model, source, { tables: change.renamedTables, columns })
  const document = forgetColumns(renamed, source, change)
  const enums = markedIn(document, source, new Map([...state.enums, ...step.enums]))
  const ofFunctions = { source, before: state.functions, after: step.functions }
  const fieldsLost = lostComputedFields(document, ofFunctions)
  const tracked = lostFunctions(document, ofFunctions).reduce(removeIfThere, document)
  const left = dropFields(withCurrentModel({ ...draft, document: tracked }), fieldsLost, step)
  refuseAlteredFunctions(left, ofFunctions, path)
  const functions = new Map([...state.functions, ...step.functions])
  const states = new Map(draft.states).set(source, {
    ...state,
    introspection: after,
    enums,
    functions,
    queries: step.queries,
  })
  const adapted = withCurrentModel({ ...draft, document: left, states })
  if (change.somethingDropped) return dropBroken(draft, adapted, step)
  checkNoNew(draft.model, adapted.model, path)
  return adapted
}

/** Throws dependency-error for a column whose type changed while permissions compare it with a constant. */
function refuseRetyped(draft: Draft, { changedColumns }: SchemaChange, { source, path }: SchemaStep): void {
  const columns = changedColumns.flatMap(({ was, retyped }) => retyped.map((column) => ({ table: was, column })))
  if (columns.length === 0) return
  const found = comparedWithConstants(draft.model, source, columns).find(([, permissions]) => permissions.length > 0)
  if (!found) return
  const [{ table, column }, permissions] = found
  const items = permissions.map((at) => dependent(draft.document, at).text).toSorted()
  throw new ApiError(
    'dependency-error',
    path,
    `cannot change type of column "${column}" in table "${tableText(table)}" because of the following dependencies: ${items.join(', ')}`,
  )
}

/**
 * Computed fields whose function is gone leave with the permissions that use them
 * (reference/metadata-document#dependencies).
 */
function dropFields(draft: Draft, lost: readonly ObjectAddress[], { cascade, path }: SchemaStep): MetadataDocument {
  if (lost.length === 0) return draft.document
  const uses = dependentsOf(draft.model, lost)
  const dependents = [...lost.map((at) => dependent(draft.document, at)), ...uses]
  if (!cascade) throw new DependencyError(path, path, dependents)
  return dependents.reduce((document, { address: at }) => removeIfThere(document, at), draft.document)
}

/** Those of enum tables that a document marks. */
function markedIn(document: MetadataDocument, source: string, enums: SourceEnums): SourceEnums {
  const isMarked = (own: string) =>
    findObject(document, address('table', own, sourceAddress(source)))?.value.is_enum === true
  return new Map([...enums].filter(([own]) => isMarked(own)))
}

/** What a table's configuration says of columns that are gone. */
function forgetColumns(document: MetadataDocument, source: string, { changedColumns }: SchemaChange): MetadataDocument {
  return changedColumns.reduce((rest, { table, dropped }) => {
    const at = tableAddress(source, table)
    const object = findObject(rest, at)
    const configuration = object && objectValue(object, 'table').configuration
    if (!object || !configuration || !dropped.some((column) => Object.hasOwn(configuration.column_config, column)))
      return rest
    const without = <T>(map: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(map).filter(([column]) => !dropped.includes(column)))
    const left: TableConfiguration = {
      ...configuration,
      column_config: without(configuration.column_config),
      custom_column_names: without(configuration.custom_column_names),
    }
    const said = isDefaultConfiguration(left) ? undefined : left
    return setValue(rest, at, withoutAbsent({ ...object.value, configuration: said }))
  }, document)
}

/** What is inconsistent now depended on something that was dropped. */
function dropBroken(before: Draft, adapted: Draft, { cascade, path }: SchemaStep): Draft {
  let current = adapted
  for (;;) {
    const broken = newlyInconsistent(before.model, current.model)
      .map((key) => current.model.faults.get(key)?.address)
      .filter((address) => address !== undefined)
    if (broken.length === 0) return current
    const dependents = broken.map((at) => dependent(current.document, at))
    if (!cascade) throw new DependencyError(path, path, dependents)
    const unforeseen = dependents.find(({ isCascaded }) => !isCascaded)
    if (unforeseen)
      throw new ApiError('unexpected', path, `cannot drop the dependent object: ${unforeseen.text}`, { status: 500 })
    current = withCurrentModel({ ...current, document: broken.reduce(removeIfThere, current.document) })
  }
}

const removeIfThere = (document: MetadataDocument, address: ObjectAddress): MetadataDocument =>
  findObject(document, address) ? removeObject(document, address) : document
