import { type Form, type Place, placeOf, type Schema } from '@svc/schema'
import { type Attribute, type Attributes, type AttributeType, type Refusal, scalarOf } from './attribute.ts'

type AnySchema = Schema<unknown>

/** What a declaration says of an attribute that its schema does not say. A text: the description, and nothing else. */
export type Input = string | InputDeclaration

export interface Inputs {
  readonly [name: string]: Input
}

export interface InputDeclaration {
  /** In Markdown. Every attribute has one. */
  readonly description: string
  /**
   * Where it stands in the object's own value: keys with dots between them. Without: under its own name. Null: not in
   * the value, as what names the objects above; such an attribute says its type.
   */
  readonly at?: string | null
  /** Where in the schema its type comes from, if that is not where it stands. */
  readonly from?: string
  /** Its type, where no schema says it or another one is shown. Of a list or a map: that of what is in it. */
  readonly type?: AttributeType | 'string' | 'boolean' | 'integer' | 'number'
  /** The attributes of an object, or of the objects in a list or map. */
  readonly of?: Inputs
  /** A list whose order and repetitions say nothing. */
  readonly set?: true
  /** Any JSON. `text`: also a bare text, which then is no JSON in a text. */
  readonly json?: true | 'text'
  /** What typed languages call the object or the enum, where several kinds have it. Without: after the kind and its place. */
  readonly typeName?: string
  /** Whether it need not be there, whatever its schema says. */
  readonly optional?: boolean
  /** Null: none, whatever its schema says. */
  readonly default?: string | number | boolean | null
  /** The sibling that stands in its place: where that is there, it has no default. */
  readonly unless?: string
  /** The setting of the provider that is used where it is not set; it comes before a default. */
  readonly providerDefault?: Attribute['providerDefault']
  /** What is refused in addition to what its schema refuses. */
  readonly refuses?: Refusal
  /** A change makes a new object in place of the old one. */
  readonly replace?: true
  readonly sensitive?: true
  /** Set at every run, stored nowhere. */
  readonly writeOnly?: true
}

type More = Omit<InputDeclaration, 'description'>

/** An attribute that may not be an empty text, although its schema accepts one. */
export const filled = (description: string, more: More = {}): InputDeclaration => ({
  description,
  refuses: 'empty',
  ...more,
})

/** A part of what identifies its object. */
export const identifying = (description: string): InputDeclaration => filled(description, { replace: true })

/** The name of one of its parents. */
export const parentName = (description: string): InputDeclaration => ({ ...ownText(description), replace: true })

/** A text that is not in the object's value. */
const ownText = (description: string): InputDeclaration => filled(description, { at: null, type: 'string' })

/** Attributes that stand below a key of the object's value. */
export const within = (at: string, inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const declared = inputOf(input)
      return [name, declared.at === null ? declared : { ...declared, at: `${at}.${declared.at ?? name}` }]
    }),
  )

/** Attributes of an object whose types are those of the schema below one of its keys. */
export const fromKey = (key: string, inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, { ...inputOf(input), from: `${key}.${name}` }]),
  )

export const inputOf = (input: Input): InputDeclaration => (typeof input === 'string' ? { description: input } : input)

/** The attributes that inputs declare, whose types, defaults and choices are those of schemas. Throws Error where they have none. */
export const attributesOf = (
  inputs: Inputs,
  schemas: readonly AnySchema[] = [],
  path: readonly string[] = [],
): Attributes =>
  attributesIn(
    schemas.flatMap((schema) => placeOf(schema).forms),
    inputs,
    path,
  )

function attributesIn(forms: readonly Form[], inputs: Inputs, path: readonly string[]): Attributes {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const declared = inputOf(input)
      const { at } = declared
      const { from = at === undefined ? name : at } = declared
      const place = from === null ? undefined : placeAt(forms, from.split('.'))
      return [name, attributeOf(declared, place, [...path, name])]
    }),
  )
}

/** The first that is found there. */
function placeAt(forms: readonly Form[], [key = '', ...rest]: readonly string[]): Place | undefined {
  const found = forms.flatMap((form) => (form.kind === 'object' && form.keys[key] ? [placeOf(form.keys[key])] : []))
  return rest.length === 0
    ? found[0]
    : placeAt(
        found.flatMap((place) => place.forms),
        rest,
      )
}

function attributeOf(declared: InputDeclaration, place: Place | undefined, path: readonly string[]): Attribute {
  const {
    description,
    optional,
    unless,
    providerDefault,
    replace = false,
    sensitive = false,
    writeOnly = false,
  } = declared
  const type = typeOf(declared, place?.forms ?? anyForm, path)
  if (!type) throw new Error(`${path.join('.')}: its schema says no type that every tool can show`)
  // of a list, a map or an object that its schema fills in there is no default: it is not there
  const given = declared.default === undefined ? place?.default : declared.default
  const initial = writeOnly ? undefined : scalarOf(type.kind, given)
  const isNeeded = !writeOnly && initial === undefined && !(optional ?? place?.required === false)
  return {
    type,
    description,
    presence: isNeeded ? 'required' : 'optional',
    ...(initial !== undefined && { default: initial }),
    ...(unless !== undefined && { unless }),
    ...(providerDefault !== undefined && { providerDefault }),
    replace,
    sensitive,
    writeOnly,
  }
}

/** Where no schema says anything, there may be any JSON. */
const anyForm: readonly Form[] = [{ kind: 'json' }]

/** The first form that can be shown as it is declared; null where there is none. */
function typeOf(declared: InputDeclaration, forms: readonly Form[], path: readonly string[]): AttributeType | null {
  const { type, json, refuses } = declared
  if (typeof type === 'object') return type
  if (type !== undefined) return { kind: type, ...(refuses && { refuses }) }
  if (json) return { kind: 'json', ...(json === 'text' && { isText: true }) }
  for (const form of forms) {
    const found = typeOfForm(form, declared, path)
    if (found) return found
  }
  return null
}

function typeOfForm(form: Form, declared: InputDeclaration, path: readonly string[]): AttributeType | null {
  const { of, set, typeName, refuses } = declared
  const named = typeName !== undefined && { name: typeName }
  switch (form.kind) {
    case 'string':
      if (of || set) return null
      if (form.choices) return { kind: 'string', choices: form.choices, ...named }
      return { kind: 'string', ...(form.filled ? { refuses: 'empty' } : refuses && { refuses }) }
    case 'boolean':
    case 'integer':
    case 'number':
      return of || set ? null : { kind: form.kind, ...(refuses && { refuses }) }
    case 'list': {
      const { set: _, refuses: __, ...item } = declared
      const inside = typeOf(set ? { ...item, refuses: 'empty' } : item, placeOf(form.of).forms, path)
      const refusing = (form.filled || refuses) && { refuses: 'empty' as const }
      return inside && { kind: set ? 'set' : 'list', of: inside, ...refusing }
    }
    case 'map': {
      const inside = typeOf(declared, placeOf(form.of).forms, path)
      return inside && { kind: 'map', of: inside }
    }
    case 'object':
    case 'json':
      return of ? { kind: 'object', attributes: attributesIn([form], of, path), ...named } : null
  }
}
