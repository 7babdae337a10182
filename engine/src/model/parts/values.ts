import { Map as ImmutableMap } from 'immutable'

/** What the objects of each part resolve to, by part and id. Filled by update-part.ts only, so each map holds its part's type. */
export type PartValues = ReadonlyMap<string, ImmutableMap<string, unknown>>

/** What a part's values are found by. `V`: what they are. */
export interface PartKey<V> {
  readonly key: string
  /** Never there: it ties the type to the key. */
  readonly value?: V
}

/** All that a part's objects resolve to, by `objectId`. */
export const partValues = <V>(
  { values }: { readonly values: PartValues },
  { key }: PartKey<V>,
): ImmutableMap<string, V> => (values.get(key) ?? none) as ImmutableMap<string, V>

/** What one object resolves to; undefined where it is not there or inconsistent. */
export const partValue = <V>(of: { readonly values: PartValues }, part: PartKey<V>, id: string): V | undefined =>
  partValues(of, part).get(id)

const none: ImmutableMap<string, never> = ImmutableMap()
