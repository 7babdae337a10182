import { address, childrenOf, findObject, type MetadataDocument, type ObjectAddress } from '@svc/schema'
import { type Draft, isNotServed, withCurrentModel } from '../changes/index.ts'
import { isWithin, type OperationContext } from '../metadata/index.ts'
import { dependentsOf, renameRelationship } from '../model/index.ts'

/**
 * What an operation may read while it is applied to a draft. Models are made for the documents it passes, each from
 * the one before, so that a read costs what changed.
 */
export function operationContext(draft: Draft, checksEndState: boolean): OperationContext {
  let current = draft
  const modelOf = (document: MetadataDocument) => {
    current = withCurrentModel({ ...current, document })
    return current.model
  }
  return {
    checksEndState,
    remoteSchemaPermissionsEnabled: draft.settings.remoteSchemaPermissions === true,
    sourceStatus: (source) => draft.states.get(source)?.status ?? 'unknown',
    table(source, table) {
      const state = draft.states.get(source)
      const found = state?.status === 'ready' ? state.introspection.tables.get(table.own) : undefined
      if (!found) return null
      const keys = [
        ...(found.primaryKey ? [found.primaryKey] : []),
        ...found.uniqueKeys.filter((key) => key.isConstraint),
      ]
      return {
        columns: found.columns.map(({ name }) => name),
        primaryKey: found.primaryKey?.columns ?? null,
        constraints: keys.map(({ constraint }) => constraint),
      }
    },
    dependentsOf(document, objects) {
      // of a source: what depends on its tables from outside of it
      const tables = objects.flatMap((object) => (object.type === 'source' ? tablesOf(document, object) : [object]))
      const outside = (address: ObjectAddress) => !objects.some((object) => isWithin(address, object))
      return dependentsOf(modelOf(document), tables).filter(({ address }) => outside(address))
    },
    renameRelationship: (document, relationship, name) => renameRelationship(modelOf(document), relationship, name),
    inconsistentObjects(document) {
      const { faults } = modelOf(document)
      return [...faults.values()].flatMap((fault) =>
        fault.query === undefined && !isNotServed(fault, { ...draft, document }, faults) ? [fault.address] : [],
      )
    },
    inconsistentQueries: (document) =>
      [...modelOf(document).faults.values()].flatMap(({ address, query }) =>
        query === undefined ? [] : [{ collection: address, query }],
      ),
  }
}

function tablesOf(document: MetadataDocument, source: ObjectAddress): readonly ObjectAddress[] {
  const object = findObject(document, source)
  return object ? [...childrenOf(object, 'table').keys()].map((own) => address('table', own, source)) : []
}
