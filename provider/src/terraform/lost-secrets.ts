import { type Diagnostic, errorOf } from '../core/index.ts'
import {
  type Attributes,
  type AttributeType,
  type Path,
  partsOf,
  type Value,
  type Values,
  valueAt,
} from '../resources/index.ts'

/**
 * Errors at the sensitive attributes that an imported object has and its configuration leaves out, also in the form that
 * is written only. `-generate-config-out`
 * writes `null # sensitive` in their place: applied like that, the import would take them away.
 */
export function lostSecrets(attributes: Attributes, imported: Values, config: Values): readonly Diagnostic[] {
  const isWritten = (path: Path) =>
    (config[`${path.filter((step) => typeof step === 'string').join('_')}_wo`] ?? null) !== null
  return lostIn({ kind: 'object', attributes }, imported, config, [])
    .filter((path) => !isWritten(path))
    .map((path) =>
      errorOf(
        `${path.join('.')}: is set in the engine, and this import would remove it`,
        'The attribute is sensitive, so -generate-config-out writes null for it. Write the value that it has (`svc adopt` writes a variable for it); once it is imported, a later apply can remove it.',
        path,
      ),
    )
}

function lostIn(type: AttributeType, was: Value, is: Value, above: Path): readonly Path[] {
  return partsOf(type, is).flatMap(({ step, type: own, value, attribute }) => {
    const before = valueAt(was, [step])
    const path = [...above, step]
    if (before === null || attribute?.writeOnly || attribute?.presence === 'computed') return []
    if (attribute?.sensitive) return value === null ? [path] : []
    return lostIn(own, before, value, path)
  })
}
