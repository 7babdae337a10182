import { isRawNumber, longContainer } from '../../exact-json/index.ts'
import { type VariableValues, valueAt } from './guard.ts'

/** JSON with variables inside it. */
export type Template =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'variable'; readonly variable: string; readonly keys: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly of: readonly Template[] }
  | { readonly kind: 'object'; readonly of: ReadonlyMap<string, Template> }

export function fillTemplate(template: Template, variables: VariableValues): unknown {
  switch (template.kind) {
    case 'json':
      return template.json
    case 'variable':
      return valueAt(variables, template.variable, template.keys)
    case 'list':
      return template.of.map((part) => fillTemplate(part, variables))
    case 'object':
      return objectOf(template.of, variables)
  }
}

/** Object.fromEntries takes four times as long. */
function objectOf(parts: ReadonlyMap<string, Template>, variables: VariableValues): unknown {
  const made: Record<string, unknown> = {}
  for (const [key, part] of parts) {
    const value = fillTemplate(part, variables)
    if (key === '__proto__')
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
    else made[key] = value
  }
  return made
}

/**
 * About how many characters of JSON `fillTemplate` makes; a value is counted wherever it stands. `passed`: variables that
 * are counted from their second place on.
 */
export function filledSize(template: Template, variables: VariableValues, passed?: Set<string>): number {
  // each is read once: it may stand in thousands of places
  const known = new Map<object, number>()
  const size = (part: Template): number => {
    switch (part.kind) {
      case 'json':
        return jsonSize(part.json, known)
      case 'variable':
        if (passed && passed.size < passed.add(part.variable).size) return 0
        return jsonSize(valueAt(variables, part.variable, part.keys), known)
      case 'list':
        return part.of.reduce((sum, entry) => sum + size(entry) + 1, 2)
      case 'object':
        return [...part.of].reduce((sum, [key, entry]) => sum + key.length + size(entry) + 4, 2)
    }
  }
  return size(template)
}

function jsonSize(json: unknown, known: Map<object, number>): number {
  if (typeof json === 'string') return json.length + 2
  if (typeof json !== 'object' || json === null) return 5
  if (isRawNumber(json)) return json.rawJSON.length
  let size = known.get(json) ?? longContainer(json)?.size
  if (size === undefined) {
    size = Array.isArray(json)
      ? json.reduce<number>((sum, entry) => sum + jsonSize(entry, known) + 1, 2)
      : Object.entries(json).reduce((sum, [key, entry]) => sum + key.length + jsonSize(entry, known) + 4, 2)
    known.set(json, size)
  }
  return size
}
