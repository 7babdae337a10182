import { type Attributes, type Path, partsOf, type ValuePart, type Values } from '../resources/index.ts'
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
  const parts = partsOf({ kind: 'object', attributes }, changed)
  return parts
    .flatMap((part) => addressesIn(part, []))
    .map((path) => {
      const fromEnvironment = `${String(path.at(-1))}_from_env`
      const alternative = Object.hasOwn(attributes, fromEnvironment)
        ? `, or give all of it by \`${fromEnvironment}\``
        : ''
      return warningOf(
        `${pathText(path)}: a password in it is not kept secret`,
        `Name a variable of the engine's environment in its place, such as {{SHOP_PASSWORD}}${alternative}. ${remedy}`,
        pointablePath(attributes, path),
      )
    })
}

function addressesIn({ step, type, value, attribute }: ValuePart, above: Path): readonly Path[] {
  const path = [...above, step]
  if (attribute?.sensitive) return []
  if (type.kind === 'string' && typeof value === 'string' && holdsPassword(value)) return [path]
  return partsOf(type, value).flatMap((part) => addressesIn(part, path))
}
