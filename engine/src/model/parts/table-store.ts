import type { MetadataObject, ObjectAddress } from '@svc/schema'
import { announce } from '../names/names.ts'
import type { TableId } from '../object-ids.ts'
import { tableIdOf } from '../table-id.ts'
import { type ModelDraft, partsOf, type TableParts } from '../update/model-draft.ts'
import type { Store } from './part.ts'

interface Place<V> {
  /** Those of a table that is put together. */
  readonly of: (parts: TableParts) => Map<string, V>
  get(draft: ModelDraft, id: TableId, name: string): V | undefined
  /** What those that read it have noted; null where nothing has. */
  readonly readKey: (id: TableId, name: string) => string | null
  readonly nameOf?: (object: MetadataObject) => string
}

/** A store of what stands in served tables, by name. */
export function tableStore<V>({ of, get, readKey, nameOf = ({ value }) => String(value.name) }: Place<V>): Store<V> {
  return {
    get: (draft, at, object) => get(draft, tableIdOf(at), nameOf(object)),
    set(draft, at: ObjectAddress, object, value) {
      const [id, name] = [tableIdOf(at), nameOf(object)]
      if (!draft.graph.nodes.get(id)?.served) return
      const all = of(partsOf(draft, id))
      if (value) all.set(name, value)
      else all.delete(name)
      const key = readKey(id, name)
      if (key !== null) announce(draft, key)
    },
  }
}
