import type { Json, JsonObject } from '@svc/schema'

/** The tables that a row condition names: those of its `_exists` (the rest it reaches over relationships). */
export function tablesOfExpression(expression: Json): readonly JsonObject[] {
  if (typeof expression !== 'object' || expression === null) return []
  if (Array.isArray(expression)) return expression.flatMap(tablesOfExpression)
  return Object.entries(expression).flatMap(([key, value]) => {
    const inner = tablesOfExpression(value)
    const table = key === '_exists' && isObject(value) ? value._table : undefined
    return table !== undefined && isObject(table) ? [table, ...inner] : inner
  })
}

const isObject = (json: Json): json is JsonObject => typeof json === 'object' && json !== null && !Array.isArray(json)
