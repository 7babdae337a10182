import type { ResultField, ResultValue } from './result-rows.ts'

/** A value of a result as JSON text (reference/values: numbers are texts). */
export function resultJson(field: ResultField, value: ResultValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(({ v }) => resultJson({ ...field, mode: 'NULLABLE' }, v)).join(',')}]`
  if (typeof value === 'object' && 'f' in value) {
    const { fields = [] } = field
    return `{${fields.map((one, i) => `${JSON.stringify(one.name)}:${resultJson(one, value.f[i]?.v ?? null)}`).join(',')}}`
  }
  return field.type === 'BOOLEAN' || field.type === 'BOOL' ? String(value) : JSON.stringify(value)
}
