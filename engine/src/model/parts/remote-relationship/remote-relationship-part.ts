import { remoteRelationshipReadKey } from '../../graph.ts'
import { rewriteRemote } from '../../rename/rewrite-references.ts'
import { tableIdOf } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { tableStore } from '../table-store.ts'
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
  store: tableStore({
    of: (parts) => parts.remoteRelationships,
    get(draft, id, name) {
      if (!draft.graph.nodes.get(id)?.served) return undefined
      const parts = draft.tableParts.get(id) ?? draft.tables.get(id)
      return parts?.remoteRelationships.get(name)
    },
    readKey: remoteRelationshipReadKey,
  }),
}
