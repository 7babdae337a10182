import type { JsonObject } from '@svc/schema'
import type { Value } from '../../../ir/index.ts'

/**
 * The slots of a statement as named parameters (`@param0` …): values are texts with a type, since numbers would lose
 * digits. A list is bound as the JSON array of its texts.
 */
export const queryParameters = (slots: readonly Value[], texts: readonly (string | null)[]): readonly JsonObject[] =>
  slots.map(({ type: { type, list } }, index) => {
    const text = texts[index] ?? null
    const isList = list || type.array
    return {
      name: `param${index}`,
      parameterType: isList ? { type: 'ARRAY', arrayType: { type: type.name } } : { type: type.name },
      parameterValue: isList ? listValue(text) : { value: text },
    }
  })

function listValue(text: string | null): JsonObject {
  if (text === null) return { arrayValues: null }
  const values = JSON.parse(text) as readonly (string | null)[]
  return { arrayValues: values.map((value) => ({ value })) }
}
