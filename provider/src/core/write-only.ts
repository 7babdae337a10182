import type { CommonKind, Field, Values } from '../resources/index.ts'

/**
 * Attributes that stand where a write-only one does, while none of them is given: then the live value there was
 * written by the write-only one and is nobody's drift.
 */
export function writtenOnly({ fields }: CommonKind, state: Values): readonly WrittenOnly[] {
  return fields
    .filter(({ attribute }) => attribute.writeOnly)
    .map((field) => ({ field, siblings: fields.filter((other) => other !== field && standsAt(other, field)) }))
    .filter(({ siblings }) => siblings.every(({ name }) => (state[name] ?? null) === null))
}

export interface WrittenOnly {
  readonly field: Field
  readonly siblings: readonly Field[]
}

const standsAt = (field: Field, place: Field): boolean =>
  place.at !== null && field.at !== null && place.at.every((key, i) => field.at?.[i] === key)

/** Values without those that no state may store. */
export const withoutWriteOnly = (kind: CommonKind, values: Values): Values => ({
  ...values,
  ...Object.fromEntries(kind.fields.filter(({ attribute }) => attribute.writeOnly).map(({ name }) => [name, null])),
})
