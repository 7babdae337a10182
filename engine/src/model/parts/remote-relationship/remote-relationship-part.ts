import { remoteRelationshipReadKey } from '../../graph.ts'
import { announce } from '../../names/names.ts'
import { rewriteRemote } from '../../rename/rewrite-references.ts'
import { tableIdOf } from '../../table-id.ts'
import { partsOf } from '../../update/model-draft.ts'
import type { Part } from '../part.ts'
import { resolveRemoteRelationship } from './resolve-remote-relationship.ts'
import type { ResolvedRemoteRelationship } from './resolved-remote-relationship.ts'

/**
 * Relationships of tables to remote schemas and to other sources (reference/remote-schemas#relationships); they stand
 * in their table.
 */
export const remoteRelationshipPart: Part<ResolvedRemoteRelationship, 'remote_relationship'> = {
  key: 'remote_relationship',
  type: 'remote_relationship',
  dependentText: ({ above, own }) => `remote relationship ${above}.${own}`,
  isCascaded: true,
  rename: (value, { own, names }) => ({ ...value, definition: rewriteRemote(value.definition, own, names) }),
  namesTables: 'of-all-sources',
  resolve: ({ value }, reading) => resolveRemoteRelationship(value, reading),
  readKeys: (at, { value }) => [remoteRelationshipReadKey(tableIdOf(at), String(value.name))],
  store: {
    get(draft, at, { value }) {
      const id = tableIdOf(at)
      if (!draft.graph.nodes.get(id)?.served) return undefined
      const parts = draft.tableParts.get(id) ?? draft.tables.get(id)
      return parts?.remoteRelationships.get(String(value.name))
    },
    set(draft, at, object, value) {
      const [id, name] = [tableIdOf(at), String(object.value.name)]
      if (!draft.graph.nodes.get(id)?.served) return
      const { remoteRelationships } = partsOf(draft, id)
      if (value) remoteRelationships.set(name, value)
      else remoteRelationships.delete(name)
      announce(draft, remoteRelationshipReadKey(id, name))
    },
  },
}
