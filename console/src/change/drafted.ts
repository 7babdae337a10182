import {
  addressText,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
} from '@svc/schema'
import { fillDefaults, findObject, variantIn } from '../../../provider/src/core/index.ts'
import {
  type Attributes,
  addressOf,
  declaredValue,
  InvalidValue,
  identityOf,
  isValues,
  kindNamed,
  type Operation,
  type Path,
  placeOf,
  type ResourceKind,
  rankOf,
  type Value,
  type Values,
  valuesOf,
} from '../../../provider/src/resources/index.ts'

/** An object as the user wants it, by its attributes; JSON among them as its text. */
export interface Drafted {
  readonly id: number
  /** `SelectPermission` */
  readonly kind: string
  readonly values: Values
  /** It shall go. */
  readonly removes: boolean
}

export interface Problem {
  readonly id: number
  readonly path: Path
  readonly message: string
}

/** What a list of drafts comes to. */
export interface Planned {
  readonly operations: readonly Operation[]
  /** What is made or changed, by its address as text, with the value that is declared. */
  readonly wanted: ReadonlyMap<string, { readonly at: ObjectAddress; readonly value: JsonObject }>
  /** Names of resources whose objects go. */
  readonly removed: readonly string[]
  /** Of values that no request can be made of. */
  readonly problems: readonly Problem[]
}

/** The attributes of an object that exists, or, where it does not, those that are declared. */
export function draftOf(document: MetadataDocument, kindName: string, given: Values): Omit<Drafted, 'id'> | null {
  const whole = kindNamed(kindName)
  if (!whole) return null
  const kind = variantIn(document, whole, given)
  const blank = Object.fromEntries(Object.keys(kind.attributes).map((name) => [name, null]))
  const values = { ...blank, ...given }
  const live = liveOf(document, kind, values)
  if (!live) return { kind: kindName, values, removes: false }
  const place = placeOf(kind, fillDefaults(kind.attributes, values), 'text')
  const found = valuesOf(kind, live.value, place, 'text')
  return { kind: kindName, values: indented(kind.attributes, found), removes: false }
}

/** The object that stands where these values say; undefined too where they do not say it yet. */
export function liveOf(document: MetadataDocument, kind: ResourceKind, values: Values): MetadataObject | undefined {
  const filled = fillDefaults(kind.attributes, values)
  return identityOf(kind, filled) === null ? undefined : findObject(document, addressOf(kind, filled, 'text'))
}

/** JSON as people read it. */
function indented(attributes: Attributes, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): readonly [string, Value] => {
      const type = attributes[name]?.type
      if (type?.kind === 'json' && typeof value === 'string') return [name, pretty(value)]
      if (type?.kind === 'object' && isValues(value)) return [name, indented(type.attributes, value)]
      return [name, value]
    }),
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The operations that make what is drafted: what goes first, in the order of making. */
export function planDrafts(drafts: readonly Drafted[], document: MetadataDocument): Planned {
  const rank = ({ kind }: Drafted) => rankOf(kindNamed(kind)?.type ?? 'source')
  const leaving = drafts.filter(({ removes }) => removes).sort((a, b) => rank(b) - rank(a))
  const staying = drafts.filter(({ removes }) => !removes).sort((a, b) => rank(a) - rank(b))
  const operations: Operation[] = []
  const wanted = new Map<string, { readonly at: ObjectAddress; readonly value: JsonObject }>()
  const removed: string[] = []
  const problems: Problem[] = []
  for (const draft of [...leaving, ...staying]) {
    const whole = kindNamed(draft.kind)
    if (!whole) continue
    const kind = variantIn(document, whole, draft.values)
    try {
      const found = missing(kind, draft)
      problems.push(...found)
      if (found.length > 0) continue
      const filled = fillDefaults(kind.attributes, draft.values)
      const at = addressOf(kind, filled, 'text')
      const place = placeOf(kind, filled, 'text')
      const live = liveOf(document, kind, filled)
      if (draft.removes) {
        if (live) operations.push(...kind.delete(live.value, place))
        removed.push(`${kind.kind} ${(identityOf(kind, filled) ?? []).join('/')}`)
        continue
      }
      const now = declaredValue(kind, identified(kind, draft.values, filled), 'text', live?.value)
      operations.push(...stepsTo(kind, live?.value, now, place))
      wanted.set(addressText(at), { at, value: now })
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      problems.push({ id: draft.id, path: error.path, message: error.message })
    }
  }
  return { operations, wanted, removed, problems }
}

function stepsTo(
  kind: ResourceKind,
  live: JsonObject | undefined,
  now: JsonObject,
  place: JsonObject,
): readonly Operation[] {
  if (!live) return kind.create(now, place) ?? []
  return kind.update(live, now, place) ?? [...kind.delete(live, place), ...(kind.create(now, place) ?? [])]
}

/** What identifies it with its defaults; all else as it is declared: the engine fills in the rest. */
function identified({ identityPaths }: ResourceKind, given: Values, filled: Values): Values {
  const heads = new Set(identityPaths.map(([head]) => head))
  return Object.fromEntries(Object.keys(filled).map((name) => [name, (heads.has(name) ? filled : given)[name] ?? null]))
}

function missing({ attributes, identityPaths, exactlyOne = [] }: ResourceKind, { id, values, removes }: Drafted) {
  const says = (name: string) => (values[name] ?? null) !== null && values[name] !== false
  const heads = new Set(identityPaths.map(([head]) => head))
  const absent = Object.entries(attributes)
    .filter(([name, { presence, providerDefault, default: initial }]) => {
      const needed = presence === 'required' || (providerDefault !== undefined && initial === undefined)
      return needed && (values[name] ?? null) === null && (heads.has(name) || !removes)
    })
    .map(([name]): Problem => ({ id, path: [name], message: 'is required' }))
  if (removes) return absent
  const unclear = exactlyOne.flatMap((names): readonly Problem[] => {
    const given = names.filter(says)
    if (given.length === 1) return []
    return [
      { id, path: [given[1] ?? names[0] ?? ''], message: `one of ${names.join(', ')} must be given, and only one` },
    ]
  })
  return [...absent, ...unclear]
}
