import { equalJson, type Json } from '@svc/schema'
import type { Attribute, Attributes, AttributeType } from '../resources/index.ts'
import { isValues, type Path, type Value, type Values } from '../resources/index.ts'
import type { Expression, ExpressionEntry } from './expression.ts'

/** Where other resources are named, by the path of the attribute: `remote_foreign_key.table`. */
export type Outputs = ReadonlyMap<string, Expression>

export const pathKey = (path: Path): string => JSON.stringify(path)

/**
 * Attributes with their values as expressions: nothing where there is none or only the default; outputs where
 * another resource is named, and secrets instead of what no one may read.
 */
export function expressValues(
  attributes: Attributes,
  values: Values,
  address: string,
  outputs: Outputs,
  path: Path = [],
): readonly ExpressionEntry[] {
  return Object.entries(attributes).flatMap(([name, attribute]): readonly ExpressionEntry[] => {
    const value = values[name] ?? null
    const at = [...path, name]
    const output = outputs.get(pathKey(at))
    if (output) return [[name, output]]
    if (value === null || equalJson(value as Json, (attribute.default ?? null) as Json)) return []
    return [[name, expressAttribute(attribute, value, address, outputs, at)]]
  })
}

function expressAttribute(
  { type, sensitive }: Attribute,
  value: Value,
  address: string,
  outputs: Outputs,
  at: Path,
): Expression {
  if (sensitive && isSecret(value)) {
    const shape = Array.isArray(value) ? 'list' : isValues(value) ? 'object' : 'text'
    return { kind: 'secret', secret: { of: address, path: at.map(String), shape } }
  }
  return express(type, value, address, outputs, at)
}

function express(type: AttributeType, value: Value, address: string, outputs: Outputs, at: Path): Expression {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return { kind: 'literal', value: value as string | number | boolean | null }
    case 'json':
      return { kind: 'json', value: value as Json, isText: type.isText ?? false }
    case 'list':
    case 'set': {
      const items = Array.isArray(value) ? (value as readonly Value[]) : []
      return { kind: 'list', items: items.map((item, i) => express(type.of, item, address, outputs, [...at, i])) }
    }
    case 'map':
      return {
        kind: 'map',
        entries: Object.entries(isValues(value) ? value : {}).map(([key, item]) => [
          key,
          express(type.of, item, address, outputs, [...at, key]),
        ]),
      }
    case 'object':
      return {
        kind: 'object',
        entries: expressValues(type.attributes, isValues(value) ? value : {}, address, outputs, at),
      }
  }
}

/** Whether a sensitive value contains more than names of variables, in which the engine keeps the secret itself. */
function isSecret(value: Value): boolean {
  if (typeof value === 'string') return !/^\{\{\s*\w+\s*\}\}$/.test(value)
  if (Array.isArray(value)) return (value as readonly Value[]).some(isSecret)
  return isValues(value) && Object.entries(value).some(([key, part]) => key !== 'from_env' && isSecret(part))
}
