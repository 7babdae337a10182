import { equalJson, type ObjectAddress } from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import { partReadKey } from '../graph.ts'
import { announce } from '../names/names.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import { type PartKey, partValue } from './values.ts'

export interface ChangedValue<V> {
  readonly at: ObjectAddress
  readonly old: V | undefined
  readonly now: V | undefined
}

/** Replaces what an object resolves to, and notifies the objects that read it; an equal value leaves the old one. */
export function changeValue<V>(
  draft: ModelDraft,
  part: PartKey<V> & { same?(a: V, b: V): boolean },
  at: ObjectAddress,
  id: string,
  value: V | null,
): void {
  const old = partValue(draft, part, id)
  if (value === null ? old === undefined : old !== undefined && (part.same?.(old, value) ?? equalJson(old, value)))
    return
  const { started, values } = draft.valuesInWork
  if (!started.has(part.key)) {
    started.add(part.key)
    values.set(part.key, (values.get(part.key) ?? nothing).asMutable())
  }
  const map = values.get(part.key) ?? nothing
  if (value === null) map.delete(id)
  else map.set(id, value)
  const changed = draft.changedValues.get(part.key) ?? new Map<string, ChangedValue<unknown>>()
  draft.changedValues.set(part.key, changed.set(id, { at, old: changed.get(id)?.old ?? old, now: value ?? undefined }))
  announce(draft, partReadKey(part.key, id))
}

/** The objects of a part that resolve to something else than before this update, so far. */
export const changedValues = <V>(draft: ModelDraft, { key }: PartKey<V>): ReadonlyMap<string, ChangedValue<V>> =>
  (draft.changedValues.get(key) ?? new Map()) as ReadonlyMap<string, ChangedValue<V>>

const nothing: ImmutableMap<string, unknown> = ImmutableMap()
