import type { ResultField, ResultValue } from './result-rows.ts'
import { scalarJson } from './scalar-json.ts'

/** A value of a result whose columns only the service knows, as JSON text (reference/values#bigquery). */
export function resultJson(field: ResultField, value: ResultValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(({ v }) => resultJson({ ...field, mode: 'NULLABLE' }, v)).join(',')}]`
  if (typeof value === 'object' && 'f' in value) {
    const { fields = [] } = field
    return `{${fields.map((one, i) => `${JSON.stringify(one.name)}:${resultJson(one, value.f[i]?.v ?? null)}`).join(',')}}`
  }
  return scalarJson(shapes[field.type] ?? 'text', String(value))
}

const shapes: Readonly<Record<string, 'boolean' | 'timestamp' | 'json'>> = {
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
  JSON: 'json',
}
