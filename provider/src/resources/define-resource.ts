import {
  canonicalKind,
  childTypesOf,
  decodeShallow,
  defaultKind,
  type Json,
  type JsonObject,
  type NameStyle,
  nameStyle,
  type ObjectType,
  objectKinds,
  objectSchemas,
  type Schema,
  sourceSchema,
  type UnknownKey,
  unknownKeys,
  type ValueFault,
  valueFaults,
} from '@svc/schema'
import type { Attribute, Attributes } from './attribute.ts'
import { attributesOf, type Inputs, inputOf } from './attributes-of.ts'
import { checkAttributes } from './check-attributes.ts'
import { forceDestroy } from './force-destroy.ts'
import type { Operation } from './operation.ts'
import { type SourceFamily, sourceFamily } from './source-family.ts'
import type { Path, Values } from './value.ts'

/** What every kind of resource declares, whatever it stands for. */
export interface CommonDeclaration {
  /** `SelectPermission`; tools make their names of it. */
  readonly kind: string
  /** In Markdown; the first sentence is used by itself, too. */
  readonly description: string
  /** What the object's schema does not say of each attribute: its description, and what differs (attributes-of.ts). */
  readonly inputs: Inputs
  /** The schemas that say the rest. Without: that of the object. */
  readonly schemas?: readonly Schema<unknown>[]
  /** Attributes whose texts make up identity and import id, in order: `['source', 'table.schema', 'table.name', 'role']`. */
  readonly identity: readonly string[]
  /** Example values of these, for the docs. */
  readonly example: readonly string[]
  /** Attributes that are spelt differently in the object's value. */
  readonly codecs?: Readonly<Record<string, Codec>>
  /** Of these attributes exactly one is set (and not false). */
  readonly exactlyOne?: readonly (readonly string[])[]
  /**
   * The same for all values that mean the same, where the engine stores how one is spelt: such are no difference.
   * Canonical in and out.
   */
  readonly meaning?: (value: JsonObject) => JsonObject
  /** Keys in a declared value that nothing reads, in what its schema leaves open. */
  readonly strangers?: (value: JsonObject) => readonly UnknownKey[]
  /** Of the shape of the attributes, 0 at first. `upgrades[n]` makes version n + 1 of version n. */
  readonly upgrades?: readonly ((state: JsonObject) => JsonObject)[]
}

/** One kind of resource that stands for an object of the metadata, declared. See docs/resources.md. */
export interface Declaration extends CommonDeclaration {
  /** The metadata object it stands for. */
  readonly type: ObjectType
  /**
   * Whether one under another name can exist next to it: then the new one is created, and what names it is changed, before
   * it is deleted. Not where anything else could clash, such as names of types.
   */
  readonly createBeforeDelete?: boolean
  /** Stands for a part of its object, of which other resources have their parts. */
  readonly part?: Part
  /** Parts of the object's value that follow from the attributes: not read from the live object. Keys with dots. */
  readonly derived?: readonly string[]
  /** Parts of the object's value that the metadata requests and no attribute speaks of. */
  readonly fixed?: JsonObject
  /** What must exist before it, in addition to its parents. */
  readonly dependsOn?: (values: Values, value: JsonObject) => readonly Reference[]
  /**
   * What the engine knows of another server, which changes without the metadata: `reload` makes it read the server
   * again. So does a change of `attribute`, which has no place in the value.
   */
  readonly outside?: { readonly attribute: string; readonly reload: (value: JsonObject) => Operation }
  /** `place` names the objects above it as operations do: `{ source, table }`. Values are canonical. */
  readonly create: (now: JsonObject, place: JsonObject) => readonly Operation[] | null
  /** As one atomic step. Null: no operation can say it. */
  readonly update: (old: JsonObject, now: JsonObject, place: JsonObject) => readonly Operation[] | null
  readonly delete: (old: JsonObject, place: JsonObject) => readonly Operation[]
  /**
   * Renames it with all that is in it and all that names it; without it, one under another name is dropped and made,
   * with what is in it.
   */
  readonly rename?: (old: JsonObject, now: JsonObject, place: JsonObject) => readonly Operation[]
  /**
   * What a change does in addition changing metadata, sentences for a preview. `now` is null where the object goes to make
   * place for another.
   */
  readonly sideEffects?: (old: JsonObject, now: JsonObject | null) => readonly string[]
}

/** How parts make up an object that there is one of. */
export interface Part {
  /** The object that consists of these parts, not yet canonical. */
  readonly assemble: (parts: readonly JsonObject[]) => JsonObject
  readonly parts: (whole: JsonObject) => readonly JsonObject[]
  /** Distinguishes it from the other parts. */
  readonly key: (part: JsonObject) => string
  /** From a path in an object that consists of one part to the path in that part. */
  readonly path: (path: Path) => Path
}

/** From the form an attribute has to the one the object has, and back. Either may be left out. */
export interface Codec {
  readonly encode?: (json: Json | undefined) => Json | undefined
  readonly decode?: (json: Json | undefined) => Json | undefined
  /** From where something stands below it in the object's value to where it stands in the attribute. */
  readonly decodePath?: (path: Path) => Path
}

/** An object that another one names. */
export type Reference =
  | { readonly to: 'table'; readonly source: Json; readonly table: Json; readonly attribute: Path }
  | { readonly to: 'source'; readonly source: Json; readonly attribute: Path }
  /** Another object of a source, by its own key. */
  | {
      readonly to: 'in-source'
      readonly type: 'function' | 'logical_model' | 'native_query'
      readonly source: Json
      readonly key: JsonObject
      readonly attribute: Path
    }
  /** Another object without a parent, by its own key. */
  | {
      readonly to: 'top-level'
      readonly type: 'query_collection' | 'remote_schema' | 'action'
      readonly source: null
      readonly key: JsonObject
      readonly attribute: Path
    }
  /** A type of actions, even if another stack declares it. */
  | { readonly to: 'custom-type'; readonly source: null; readonly name: string; readonly attribute: Path }
  | {
      readonly to: 'computed-field'
      readonly source: Json
      readonly table: Json
      readonly name: Json
      readonly attribute: Path
    }
  /** A select permission of the role, on a table that only the engine knows. */
  | { readonly to: 'select-permission'; readonly source: Json; readonly role: Json; readonly attribute: Path }
  /** Something that makes a role known: a permission of it, or that it is an inherited one. */
  | { readonly to: 'role'; readonly source: null; readonly role: Json; readonly attribute: Path }
  /** Table null: below another relationship, whose table only the engine knows. */
  | {
      readonly to: 'relationship'
      readonly source: Json
      readonly table: Json
      readonly name: string
      readonly attribute: Path
    }

/** An attribute and where it stands in the object's value. */
export interface Field extends Required<Codec> {
  readonly name: string
  readonly attribute: Attribute
  /** Null: not in the value. */
  readonly at: readonly string[] | null
}

/** What every tool shows of a kind, and how values become attributes. */
export interface CommonKind
  extends CommonDeclaration,
    Pick<Declaration, 'part' | 'derived' | 'fixed' | 'createBeforeDelete'> {
  /** `select_permission` */
  readonly name: string
  readonly version: number
  readonly attributes: Attributes
  readonly fields: readonly Field[]
  readonly identityPaths: readonly (readonly string[])[]
  /** The types of the objects above one: `['table', 'source']`. */
  readonly parents: readonly string[]
  /** Keys in the JSON of a declared value that the engine would store and never read. */
  readonly unread: (declared: JsonObject) => readonly UnknownKey[]
  /** A declared value as the engine would store and export it. */
  readonly canonical: (declared: JsonObject) => Canonical
  /** What of a canonical value the engine would refuse since it could not serve it. */
  readonly faults: (canonical: JsonObject) => readonly ValueFault[]
}

/** A kind that stands for objects of the metadata. */
export type ResourceKind = Declaration &
  CommonKind & {
    /**
     * The kind of source that it is for: its operations and names are those of that kind. Null: it belongs to no
     * source.
     */
    readonly sourceKind: string | null
    /** The same for sources of another kind; null where those have no such objects. */
    readonly inKind: (sourceKind: string) => ResourceKind | null
  }

type Canonical =
  | { readonly ok: true; readonly value: JsonObject }
  /** The path is below the object's value. */
  | { readonly ok: false; readonly path: Path; readonly message: string }

/** Compiles a declaration. Throws Error where it is none that every tool can show. */
export function defineResource(declared: Declaration): ResourceKind {
  const kind: ResourceKind = { ...compileResource(declared, 'public'), sourceKind: null, inKind: () => kind }
  return kind
}

/** A source of one kind. */
export function defineSource(declare: (family: SourceFamily) => Declaration, sourceKind: string): ResourceKind {
  const family = sourceFamily(sourceKind)
  const kind: ResourceKind = {
    ...compileResource({ ...declare(family), schemas: [sourceSchema({ kind: sourceKind })] }, family.style),
    sourceKind: family.kind,
    inKind: (other) => (canonicalKind(other) === family.kind ? kind : null),
  }
  return kind
}

/**
 * A kind of object in sources, declared once and compiled for each kind of source whose names have one of these styles.
 * All have the same attributes: tools show those of the first.
 */
export function defineInSource(
  styles: readonly NameStyle[],
  declare: (family: SourceFamily) => Declaration,
): ResourceKind {
  const made = new Map<string, ResourceKind>()
  const make = (sourceKind: string): ResourceKind => {
    const family = sourceFamily(sourceKind)
    const kind = { ...compileResource(declare(family), family.style), sourceKind: family.kind, inKind }
    made.set(family.kind, kind)
    return kind
  }
  const inKind = (sourceKind: string): ResourceKind | null => {
    const kind = canonicalKind(sourceKind)
    return styles.includes(nameStyle(kind)) ? (made.get(kind) ?? make(kind)) : null
  }
  return inKind(defaultKind) ?? make(styles.includes('dbo') ? 'mssql' : 'bigquery')
}

function compileResource(declared: Declaration, style: NameStyle): Declaration & CommonKind {
  const holds = childTypesOf(declared.type).length > 0
  const declaration = holds ? { ...declared, inputs: { ...declared.inputs, ...forceDestroy } } : declared
  const attributes = declaredAttributes(declaration, declared.schemas ?? [objectSchemas(style)[declared.type]])
  const common = compileDeclaration(declaration, attributes)
  const problems = common.identityPaths.flatMap(([head = '']) =>
    attributes[head]?.replace ? [] : [`${head}: identity must replace`],
  )
  refuseProblems(declared.kind, problems)
  return {
    ...declaration,
    ...common,
    parents: parentTypes(declared.type),
    unread: (value) => unreadKeys(declaration, style, common.fields, value),
    canonical: (value) => canonicalObject(declaration, style, value),
    faults: (value) => faultsOfObject(declaration, value),
  }
}

/** Of attributes of which one is set none is required, whatever the schema says of the place that they share. */
export function declaredAttributes(
  { inputs, exactlyOne = [] }: CommonDeclaration,
  schemas: readonly Schema<unknown>[],
): Attributes {
  const chosen = new Set(exactlyOne.flat())
  const given = Object.entries(inputs).map(
    ([name, input]) => [name, chosen.has(name) ? { ...inputOf(input), optional: true as const } : input] as const,
  )
  return attributesOf(Object.fromEntries(given), schemas)
}

/** What is compiled alike of every declaration. Throws Error where it is none that every tool can show. */
export function compileDeclaration(declaration: CommonDeclaration, attributes: Attributes) {
  const { kind, identity, example, upgrades } = declaration
  const identityPaths = identity.map((path) => path.split('.'))
  refuseProblems(kind, [
    ...(/^([A-Z][a-z0-9]*)+$/.test(kind) ? [] : ['its name is not in PascalCase']),
    ...checkAttributes(attributes),
    ...(example.length === Math.max(identityPaths.length, 1)
      ? []
      : ['its example has another length than its identity']),
  ])
  return {
    name: snakeCase(kind),
    version: upgrades?.length ?? 0,
    attributes,
    fields: Object.entries(attributes).map(([name, attribute]) => fieldOf(name, attribute, declaration)),
    identityPaths,
  }
}

function refuseProblems(kind: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${kind}: ${problems.join('; ')}`)
}

function parentTypes(type: ObjectType): readonly string[] {
  const { parent } = objectKinds[type]
  return parent === null ? [] : [parent, ...parentTypes(parent)]
}

function canonicalObject({ type, part }: Declaration, style: NameStyle, declared: JsonObject): Canonical {
  const decoded = decodeShallow(objectSchemas(style)[type], part ? part.assemble([declared]) : declared)
  if (!decoded.ok) {
    const { path, at = path, message } = decoded.issue
    return { ok: false, message, path: part?.path(at) ?? at }
  }
  return part ? { ok: true, value: part.parts(decoded.value)[0] ?? {} } : decoded
}

function faultsOfObject({ type, part }: Declaration, canonical: JsonObject): readonly ValueFault[] {
  if (!part) return valueFaults(type, canonical)
  return valueFaults(type, part.assemble([canonical])).map(({ path, message }) => ({ path: part.path(path), message }))
}

/** What has attributes of its own has no such keys: they are no attributes. */
function unreadKeys(
  { type, part, strangers }: Declaration,
  style: NameStyle,
  fields: readonly Field[],
  value: JsonObject,
): readonly UnknownKey[] {
  const json = fields.flatMap(({ attribute, at }) => (attribute.type.kind === 'json' && at ? [at] : []))
  const found = part || json.length === 0 ? [] : unknownKeys(objectSchemas(style)[type], value)
  const below = found.filter(({ path }) =>
    json.some((at) => path.length > at.length && at.every((key, i) => path[i] === key)),
  )
  return [...below, ...(strangers?.(value) ?? [])]
}

function fieldOf(name: string, attribute: Attribute, { inputs, codecs = {} }: CommonDeclaration): Field {
  const input = inputs[name]
  const { at = name } = input === undefined ? {} : inputOf(input)
  const { encode = same, decode = same, decodePath = same } = codecs[name] ?? {}
  return { name, attribute, at: at === null ? null : at.split('.'), encode, decode, decodePath }
}

const same = <T>(one: T): T => one

const snakeCase = (kind: string) => kind.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
