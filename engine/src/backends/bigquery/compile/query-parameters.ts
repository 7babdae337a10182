import type { StatementParameter, StatementShape } from '../statement-shape.ts'

/** A named parameter as the REST API defines it. Numbers are texts. */
export interface QueryParameter {
  readonly name: string
  readonly parameterType: { readonly type: string; readonly arrayType?: { readonly type: string } }
  readonly parameterValue: {
    readonly value?: string | null
    readonly arrayValues?: readonly { readonly value: string | null }[]
  }
}

/** Returns the parameters of a job: the texts of the statement's slots, by name. */
export const queryParameters = (
  { parameters }: StatementShape,
  texts: readonly (string | null)[],
  globalSelectLimit: number,
): readonly QueryParameter[] =>
  parameters.map((parameter, i) => ({ name: `param${i}`, ...boundParameter(parameter, texts, globalSelectLimit) }))

function boundParameter(
  parameter: StatementParameter,
  texts: readonly (string | null)[],
  globalSelectLimit: number,
): Omit<QueryParameter, 'name'> {
  if (parameter.kind === 'limit') {
    const user = parameter.slot === null ? null : (texts[parameter.slot] ?? null)
    const value = String(leastOf([user, parameter.permission, parameter.global ? globalSelectLimit : null]))
    return { parameterType: { type: 'INT64' }, parameterValue: { value } }
  }
  const { slot, type, list } = parameter
  const text = texts[slot] ?? null
  if (!list) return { parameterType: { type }, parameterValue: { value: text } }
  const members: readonly (string | null)[] = text === null ? [] : JSON.parse(text)
  return {
    parameterType: { type: 'ARRAY', arrayType: { type } },
    parameterValue: { arrayValues: members.map((value) => ({ value })) },
  }
}

/** No limit is the greatest number. */
const leastOf = (limits: readonly (string | number | null)[]): bigint =>
  limits.reduce<bigint>((least, limit) => {
    const one = limit === null ? least : BigInt(limit)
    return one < least ? one : least
  }, 9_223_372_036_854_775_807n)
