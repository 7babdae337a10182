/**
 * get_native_query, get_logical_model and get_stored_procedure: what a source has of these
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
import { findObject, listOfSourceArgs, objectKinds, sourceAddress, writeObject } from '@svc/schema'
import { defineSourceRead, type SourceRead } from '../read-operation.ts'

const list = (type: 'native_query' | 'logical_model' | 'stored_procedure'): SourceRead =>
  defineSourceRead({
    name: `get_${type}`,
    scope: 'read',
    effects: 'none',
    args: () => listOfSourceArgs,
    answer({ source }, { draft, path }) {
      const found = findObject(draft.document, sourceAddress(source))
      if (!found) throw path.error('not-exists', `source with name "${source}" does not exist`, 'source')
      return writeObject(found)[objectKinds[type].list] ?? []
    },
  })

export const listsOfSource: readonly SourceRead[] = [
  list('native_query'),
  list('logical_model'),
  list('stored_procedure'),
]
