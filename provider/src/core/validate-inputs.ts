import { meantWord } from '@svc/schema'
import {
  type Attributes,
  attributePath,
  type CommonKind,
  declaredValue,
  hasUnknown,
  InvalidValue,
  isValues,
  type JsonSpelling,
  type Path,
  type ResourceKind,
  unknown,
  type Value,
  type Values,
} from '../resources/index.ts'
import { checkShape } from './check-shape.ts'
import { errorAt } from './diagnostic.ts'
import { fillDefaults } from './fill-defaults.ts'
import type { Diagnostic } from './provider.ts'
import { missingDefaults } from './provider-defaults.ts'
import { type ForeignVariable, foreignVariable, foreignVariableMessage } from './session-variables.ts'
import { checkWriteOnly } from './write-only.ts'

/** Returns what is wrong with a resource's inputs as far as they are known. Engine and database are not reached. */
export function validateInputs(kind: CommonKind, config: Values, spelling: JsonSpelling): readonly Diagnostic[] {
  const { attributes } = kind
  const typed = checkShape(attributes, config)
  const given = fillDefaults(attributes, config)
  const chosen = (kind.exactlyOne ?? []).flatMap((names) => checkChoice(attributes, names, given))
  const issues = [...typed, ...missingDefaults(attributes, config), ...chosen, ...checkTexts(attributes, config, [])]
  if (issues.length > 0) return issues
  const incomplete = checkWriteOnly(kind, given)
  return incomplete.length > 0 ? incomplete : checkValue(kind, given, spelling)
}

/** What no database and no JSON of one can hold, wherever it stands. */
function checkTexts(attributes: Attributes, value: Value, path: Path): readonly Diagnostic[] {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return []
    return [errorAt(attributes, path, 'must hold no NUL and no half of a character')]
  }
  if (Array.isArray(value))
    return (value as readonly Value[]).flatMap((one, i) => checkTexts(attributes, one, [...path, i]))
  if (!isValues(value)) return []
  return Object.entries(value).flatMap(([key, one]) => checkTexts(attributes, one, [...path, key]))
}

function checkChoice(attributes: Attributes, names: readonly string[], values: Values): readonly Diagnostic[] {
  const given = names.filter((name) => values[name] !== null && values[name] !== false)
  const certain = given.filter((name) => values[name] !== unknown)
  const list = names.map((name) => `\`${name}\``).join(', ')
  const [, second] = certain
  if (second !== undefined) return [errorAt(attributes, [second], `only one of ${list} may be given`)]
  return given.length === 0 ? [errorAt(attributes, [], `one of ${list} must be given`)] : []
}

const knownOf = (values: Values): Values =>
  Object.fromEntries<Value>(Object.entries(values).map(([name, value]) => [name, hasUnknown(value) ? null : value]))

/** What the engine's own schema says of the object, mapped back to the attribute. */
function checkValue(kind: CommonKind, values: Values, spelling: JsonSpelling): readonly Diagnostic[] {
  const known = knownOf(values)
  try {
    const declared = declaredValue(kind, known, spelling)
    const canonical = kind.canonical(declared)
    // what contains something that is not known yet may lack only that
    const isPartial = (path: Path) =>
      kind.fields.some(
        ({ name, at }) =>
          at !== null && hasUnknown(values[name]) && path.every((key, i) => i >= at.length || at[i] === key),
      )
    const faults = canonical.ok ? kind.faults(canonical.value) : [canonical]
    const wrong = faults
      .filter(({ path }) => !isPartial(path))
      .map(({ path, message }) => errorAt(kind.attributes, attributePath(kind, known, path), message))
    if (!canonical.ok || wrong.length > 0) return wrong
    return kind.unread(declared).map((key) => unreadKey(kind, attributePath(kind, known, key.path), key.known))
  } catch (error) {
    if (error instanceof InvalidValue) return [errorAt(kind.attributes, error.path, error.message)]
    throw error
  }
}

function unreadKey(kind: CommonKind, path: Path, known: readonly string[]): Diagnostic {
  const meant = meantWord(String(path.at(-1)), known)
  const hint = meant === null ? `; there are ${known.join(', ')}` : `, did you mean ${JSON.stringify(meant)}?`
  return errorAt(kind.attributes, path, `there is no such key${hint}`)
}

/** A text in valid inputs that only another engine, or this one with its header prefix, reads as a session variable. */
export function foreignVariableIn(
  kind: ResourceKind,
  config: Values,
  spelling: JsonSpelling,
): { readonly variable: ForeignVariable; readonly diagnostic: Diagnostic } | null {
  const known = knownOf(fillDefaults(kind.attributes, config))
  try {
    const canonical = kind.canonical(declaredValue(kind, known, spelling))
    const variable = canonical.ok ? foreignVariable(kind.type, canonical.value) : null
    if (!variable) return null
    const path = attributePath(kind, known, variable.path)
    return { variable, diagnostic: errorAt(kind.attributes, path, foreignVariableMessage(variable)) }
  } catch (error) {
    if (error instanceof InvalidValue) return null // validateInputs says so
    throw error
  }
}
