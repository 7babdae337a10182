import {
  type Model,
  type RemoteRootField,
  type RootName,
  type VisibleRemote,
  visibleRemote,
} from '../../model/index.ts'
import { publicType, type RemoteField } from '../../remote-schemas/index.ts'
import { namespaceField, type QueryRootMeaning } from './query-root-type.ts'
import { fieldOf } from './remote-types.ts'
import { type Field, objectType } from './type.ts'

/** A root field, or the field that holds them all; undefined where the role has none of it. */
export function remoteRootField(
  model: Model,
  role: string,
  root: RootName,
  { remote, field }: RemoteRootField,
): Field<QueryRootMeaning> | undefined {
  const visible = visibleRemote(model, role, remote)
  const typeName = visible?.types.roots[root]
  const type = visible && typeName ? visible.types.types.get(typeName) : undefined
  if (!visible || type?.kind !== 'OBJECT' || type.fields.size === 0) return undefined
  const { namespace } = visible.remote.naming
  const shown = (own: RemoteField) => rootFieldOf(visible, root, type.name, own)
  if (field !== null) {
    const own = type.fields.get(field)
    return own && shown(own)
  }
  if (namespace === null) return undefined
  return namespaceField(
    namespace,
    objectType(publicType(visible.remote.naming, type.name), type.description, [...type.fields.values()].map(shown)),
  )
}

function rootFieldOf(visible: VisibleRemote, root: RootName, type: string, own: RemoteField): Field<QueryRootMeaning> {
  return { ...fieldOf(visible, type, own), meaning: { kind: 'remote', visible, root, type, field: own.name } }
}
