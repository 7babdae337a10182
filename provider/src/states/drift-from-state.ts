import {
  type Json,
  type JsonObject,
  type KeyedObject,
  keyedObject,
  type MetadataDocument,
  type ObjectType,
  objectKinds,
  objectName,
} from '@svc/schema'
import {
  type Difference,
  type DriftedObject,
  differences,
  fillDefaults,
  findDeclared,
  hideSecrets,
  reconcile,
  StateError,
  variantIn,
} from '../core/index.ts'
import {
  type Attributes,
  addressOf,
  declaredValue,
  InvalidValue,
  identityOf,
  isValues,
  type Path,
  placeOf,
  type ResourceKind,
  type Value,
  type Values,
  valuesOf,
} from '../resources/index.ts'
import type { StateResource, ToolState } from './tool-state.ts'

/** An object of a state that is gone or differs, with what the tool calls it. */
export interface DriftedResource extends DriftedObject {
  readonly resource: string
}

/** What a tool's state says is there and a live engine has not, or has otherwise, attribute by attribute. Throws StateError. */
export function driftFromState({ resources, spelling }: ToolState, live: MetadataDocument): readonly DriftedResource[] {
  return resources.flatMap((resource) => {
    try {
      return driftOf(resource, live, spelling.attribute)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      throw new StateError(`the state of ${resource.label} is damaged: ${error.path.join('.')} ${error.message}`)
    }
  })
}

/** What an engine calls the objects of a state that it has. */
export const managedNames = ({ resources }: ToolState, live: MetadataDocument): ReadonlySet<string> =>
  new Set(
    resources.flatMap(({ kind: whole, values }) => {
      const kind = variantIn(live, whole, values)
      const stored = fillDefaults(kind.attributes, values)
      if (identityOf(kind, stored) === null) return []
      const at = addressOf(kind, stored, 'value')
      return findDeclared(live, kind, stored, 'value') ? [objectName(keyedObject(live, at)).name] : []
    }),
  )

function driftOf(
  { kind: whole, label, values, encrypted }: StateResource,
  document: MetadataDocument,
  spell: (name: string) => string,
): readonly DriftedResource[] {
  const kind = variantIn(document, whole, values)
  const stored = fillDefaults(kind.attributes, values)
  if (identityOf(kind, stored) === null) return []
  const name = objectName(keyedOf(kind, stored))
  const live = findDeclared(document, kind, stored, 'value')
  if (!live) return [{ change: 'delete', name, resource: label, differences: [], log: [] }]
  const liveValues = valuesOf(kind, live.value, placeOf(kind, stored, 'value'), 'value')
  const before = encrypted.reduce((state, path) => copyAt(state, liveValues, path), stored)
  const now = reconcile(kind, before, live.value, 'value')
  const hide = hideSecrets(kind.attributes, before, now)
  const found = kind.fields
    .flatMap(({ name: field }) => differences(jsonOf(before[field]), jsonOf(now[field]), [field]))
    .map(
      ({ path, old, new: then }): Difference => ({
        path: spelledPath(kind.attributes, path, spell),
        old: hidden(old, hide),
        new: hidden(then, hide),
      }),
    )
  return found.length === 0 ? [] : [{ change: 'update', name, resource: label, differences: found, log: [] }]
}

const jsonOf = (value: Value | undefined) => (value ?? null) as Json

/** What the log of changes calls an object that may be gone. */
function keyedOf(kind: ResourceKind, values: Values): KeyedObject {
  const place = placeOf(kind, values, 'value')
  const { parent, key } = objectKinds[kind.type]
  return { type: kind.type, key: key(declaredValue(kind, values, 'value')), parent: parent && placed(parent, place) }
}

function placed(type: ObjectType, place: JsonObject): KeyedObject {
  const { parent, key } = objectKinds[type]
  const names = Object.keys(key({}))
  return {
    type,
    key: Object.fromEntries(names.map((name) => [name, place[type] ?? null])),
    parent: parent && placed(parent, place),
  }
}

/** What only the tool can decrypt counts as what is live. */
function copyAt(state: Values, live: Values, [step = '', ...rest]: Path): Values {
  const head = String(step)
  const mine: Value = state[head] ?? null
  const theirs: Value = live[head] ?? null
  return {
    ...state,
    [head]: rest.length > 0 && isValues(mine) && isValues(theirs) ? copyAt(mine, theirs, rest) : theirs,
  }
}

function spelledPath(attributes: Attributes, path: readonly string[], spell: (name: string) => string): string[] {
  const [head, ...rest] = path
  const attribute = head === undefined ? undefined : attributes[head]
  if (head === undefined || !attribute) return [...path]
  return [
    spell(head),
    ...(attribute.type.kind === 'object' ? spelledPath(attribute.type.attributes, rest, spell) : rest),
  ]
}

/** Returns a value without its secrets; two that differ only in these are shown alike. */
function hidden(json: Json | undefined, hide: (text: string) => string): Json | undefined {
  if (json === undefined) return undefined
  return JSON.parse(JSON.stringify(json), (_, part) => (typeof part === 'string' ? hide(part) : part)) as Json
}
