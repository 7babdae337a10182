import { keptForEach } from '../../kept-for.ts'
import {
  type Model,
  type ResolvedTypeRelationship,
  type TableId,
  typeRelationships,
  type VisibleRemote,
} from '../../model/index.ts'
import { publicType } from '../../remote-schemas/index.ts'
import { type JoinMeaning, remoteJoinField, remoteLeaf, tableJoinFields } from './remote-join-types.ts'
import { plainRemoteType } from './remote-types.ts'
import type { RoleTable } from './role-table.ts'
import { type Field, lazyFields, type NamedType } from './type.ts'

interface Seer {
  readonly model: Model
  readonly role: string
  visibleTable(id: TableId): RoleTable | undefined
}

/**
 * Finds types of remote schemas, with the fields of the relationships that start there and that the role can follow
 * (reference/remote-schemas#relationships). A type without any is the same for all who see the remote schema alike.
 */
export function remoteTypeFinder(seer: Seer): (visible: VisibleRemote, name: string) => NamedType | undefined {
  return keptForEach((visible, name) => {
    const type = plainRemoteType(visible, name)
    if (type?.kind !== 'OBJECT') return type
    const relationships = typeRelationships(seer.model, visible.remote.name).get(name)
    if (!relationships) return type
    const joins = () => joinFields(seer, visible, relationships)
    return { ...type, fields: lazyFields<unknown>(() => [...type.fields.values(), ...joins()]) }
  })
}

const joinFields = (
  seer: Seer,
  { remote }: VisibleRemote,
  relationships: readonly ResolvedTypeRelationship[],
): readonly Field<JoinMeaning>[] =>
  relationships.flatMap((relationship): readonly Field<JoinMeaning>[] => {
    if (relationship.kind === 'table') {
      const target = seer.visibleTable(relationship.target)
      return target ? tableJoinFields(relationship, target) : []
    }
    const leaf = remoteLeaf(seer.model, seer.role, relationship)
    return leaf ? [remoteJoinField(publicType(remote.naming, relationship.type), relationship, leaf)] : []
  })
