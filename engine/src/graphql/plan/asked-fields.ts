import type { RemoteTypeRef } from '../../remote-schemas/index.ts'

/** What is requested of a remote schema in the objects of a place of its answer, by response key. */
export type AskedFields = Map<string, AskedField>

export interface AskedField {
  /** As upstream has them; several: objects of different types are selected under one response key. */
  readonly types: readonly RemoteTypeRef[]
  /** The types whose name it selects, where it is `__typename`. */
  readonly typenameOf: readonly string[]
  /** Each object has it; else only those of some type. */
  readonly isRequired: boolean
  /** Selected for the engine itself: it is not passed on. */
  readonly isHidden: boolean
  readonly below: AskedFields
}

/** Adds a field to those that are selected, perhaps once more, and returns the fields below it. */
export function askField(fields: AskedFields, as: string, asked: Partial<Omit<AskedField, 'below'>>): AskedFields {
  const known = fields.get(as)
  const below: AskedFields = known?.below ?? new Map()
  const { types = [], typenameOf = [], isRequired = false, isHidden = false } = asked
  fields.set(as, {
    types: withNew(known?.types, types),
    typenameOf: withNew(known?.typenameOf, typenameOf),
    isRequired: isRequired || known?.isRequired === true,
    isHidden,
    below,
  })
  return below
}

/** A document may request one field ten thousand times. */
const withNew = <T>(known: readonly T[] = [], more: readonly T[]): readonly T[] =>
  more.every((one) => known.includes(one)) ? known : [...known, ...more]
