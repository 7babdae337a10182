import {
  type Attributes,
  type AttributeType,
  isValues,
  type Path,
  type Value,
  type Values,
} from '../resources/index.ts'
import { pathText, pointablePath } from './attribute-path.ts'
import { warningOf } from './diagnostic.ts'
import { equalValues } from './normal-form.ts'
import type { Diagnostic } from './provider.ts'
import { holdsPassword } from './redact.ts'

/**
 * A warning at each address with a password in it that a plan makes or changes and nothing marks as sensitive. `remedy`:
 * what keeps it out of what the tool prints.
 */
export function shownPasswords(
  attributes: Attributes,
  prior: Values | null,
  planned: Values,
  remedy: string,
): readonly Diagnostic[] {
  const changed = Object.fromEntries(
    Object.entries(planned).filter(([name, value]) => !equalValues(prior?.[name] ?? null, value)),
  )
  return addressesIn(attributes, changed, []).map((path) => {
    const fromEnvironment = `${String(path.at(-1))}_from_env`
    const kept = Object.hasOwn(attributes, fromEnvironment) ? `, or give all of it by \`${fromEnvironment}\`` : ''
    return warningOf(
      `${pathText(path)}: a password in it is not kept secret`,
      `Name a variable of the engine's environment in its place, such as {{SHOP_PASSWORD}}${kept}. ${remedy}`,
      pointablePath(attributes, path),
    )
  })
}

const addressesIn = (attributes: Attributes, values: Values, above: Path): readonly Path[] =>
  Object.entries(attributes).flatMap(([name, { type, sensitive }]) =>
    sensitive ? [] : addressesBelow(type, values[name] ?? null, [...above, name]),
  )

function addressesBelow(type: AttributeType, value: Value, path: Path): readonly Path[] {
  switch (type.kind) {
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
      return []
    case 'string':
      return typeof value === 'string' && holdsPassword(value) ? [path] : []
    case 'list':
    case 'set':
      return Array.isArray(value)
        ? (value as readonly Value[]).flatMap((item, i) => addressesBelow(type.of, item, [...path, i]))
        : []
    case 'map':
      return isValues(value)
        ? Object.entries(value).flatMap(([key, item]) => addressesBelow(type.of, item, [...path, key]))
        : []
    case 'object':
      return isValues(value) ? addressesIn(type.attributes, value, path) : []
  }
}
