import type { Diagnostic } from '../core/index.ts'
import {
  type Attributes,
  type AttributeType,
  isValues,
  type Path,
  type Value,
  type Values,
} from '../resources/index.ts'

/**
 * Errors at the sensitive attributes that an imported object has and its configuration leaves out, also in the form that
 * is written only. `-generate-config-out`
 * writes `null # sensitive` in their place: applied like that, the import would take them away.
 */
export function lostSecrets(attributes: Attributes, imported: Values, config: Values): readonly Diagnostic[] {
  const isWritten = (path: Path) =>
    (config[`${path.filter((step) => typeof step === 'string').join('_')}_wo`] ?? null) !== null
  return lostIn(attributes, imported, config, [])
    .filter((path) => !isWritten(path))
    .map((path) => ({
      severity: 'error',
      summary: `${path.join('.')}: is set in the engine, and this import would remove it`,
      detail:
        'The attribute is sensitive, so -generate-config-out writes null for it. Write the value that it has (`svc adopt` writes a variable for it); once it is imported, a later apply can remove it.',
      path,
    }))
}

function lostIn(attributes: Attributes, imported: Values, config: Values, path: Path): readonly Path[] {
  return Object.entries(attributes).flatMap(([name, { type, sensitive, writeOnly, presence }]) => {
    const was = imported[name] ?? null
    const is = config[name] ?? null
    if (writeOnly || presence === 'computed' || was === null) return []
    if (sensitive) return is === null ? [[...path, name]] : []
    return lostBelow(type, was, is, [...path, name])
  })
}

function lostBelow(type: AttributeType, was: Value, is: Value, path: Path): readonly Path[] {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
    case 'set':
      return []
    case 'object':
      return isValues(was) && isValues(is) ? lostIn(type.attributes, was, is, path) : []
    case 'list': {
      const before: readonly Value[] = Array.isArray(was) ? was : []
      const now: readonly Value[] = Array.isArray(is) ? is : []
      return now.flatMap((item, i) => lostBelow(type.of, before[i] ?? null, item, [...path, i]))
    }
    case 'map':
      return isValues(was) && isValues(is)
        ? Object.entries(is).flatMap(([key, item]) => lostBelow(type.of, was[key] ?? null, item, [...path, key]))
        : []
  }
}
