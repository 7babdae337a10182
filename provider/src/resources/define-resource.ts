import { childTypesOf, type Json, type JsonObject, type ObjectType } from '@svc/schema'
import { z } from 'zod'
import type { Attribute, Attributes } from './attribute.ts'
import { checkAttributes } from './check-attributes.ts'
import { compileAttributes, type InputShape, metaOf } from './compile-attribute.ts'
import { forceDestroy } from './force-destroy.ts'
import type { Operation } from './operation.ts'
import type { Path, Values } from './value.ts'

/** One kind of resource, declared. See docs/resources.md. */
export interface Declaration {
  /** `SelectPermission`; tools make their names of it. */
  readonly kind: string
  /** The metadata object it stands for. */
  readonly type: ObjectType
  /** In Markdown; the first sentence stands alone. */
  readonly description: string
  /** Plain zod types, each with `.meta({ description })` (attribute-meta.ts): no transforms, no unions. */
  readonly inputs: InputShape
  /** Attributes whose texts make up identity and import id, in order: `['source', 'table.schema', 'table.name', 'role']`. */
  readonly identity: readonly string[]
  /** Example values of these, for the docs. */
  readonly example: readonly string[]
  /** Attributes that are spelt differently in the object's value. */
  readonly codecs?: Readonly<Record<string, Codec>>
  /**
   * Whether one under another name can be there beside it: then what names it changes over before it goes. Not for what
   * else could clash, such as names of types.
   */
  readonly standsBeside?: boolean
  /** Of these attributes exactly one is given (and not false). */
  readonly exactlyOne?: readonly (readonly string[])[]
  /** Stands for a part of its object, which others have their parts of. */
  readonly part?: Part
  /** Parts of the object's value that follow from the attributes: not kept from what is there. Keys with dots. */
  readonly derived?: readonly string[]
  /** Parts of the object's value that the metadata asks for and no attribute speaks of. */
  readonly fixed?: JsonObject
  /** What must be there before it, besides the objects it lies in. */
  readonly dependsOn?: (values: Values, value: JsonObject) => readonly Reference[]
  /** `place` names the objects above it as operations do: `{ source, table }`. Values are canonical. */
  readonly create: (now: JsonObject, place: JsonObject) => readonly Operation[] | null
  /** As one atomic step. Null: no operation can say it. */
  readonly update: (old: JsonObject, now: JsonObject, place: JsonObject) => readonly Operation[] | null
  readonly delete: (old: JsonObject, place: JsonObject) => readonly Operation[]
  /**
   * Gives it another name with all that lies in it and names it; without it, one under another name is dropped and made,
   * what lies in it with it.
   */
  readonly rename?: (old: JsonObject, now: JsonObject, place: JsonObject) => readonly Operation[]
  /**
   * What a change does besides changing metadata, sentences for a preview. `now` is null where the object goes to make
   * place for another.
   */
  readonly sideEffects?: (old: JsonObject, now: JsonObject | null) => readonly string[]
  /** Of the shape of the attributes, 0 at first. `upgrades[n]` makes version n + 1 of version n. */
  readonly upgrades?: readonly ((state: JsonObject) => JsonObject)[]
}

/** How parts make up an object that there is one of. */
export interface Part {
  /** The object that consists of these parts, not yet canonical. */
  readonly assemble: (parts: readonly JsonObject[]) => JsonObject
  readonly parts: (whole: JsonObject) => readonly JsonObject[]
  /** Tells it from the others. */
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
  /** Something else that lies in a source, by its own key. */
  | {
      readonly to: 'in-source'
      readonly type: 'function' | 'logical_model' | 'native_query'
      readonly source: Json
      readonly key: JsonObject
      readonly attribute: Path
    }
  /** Something else that lies in nothing, by its own key. */
  | {
      readonly to: 'top-level'
      readonly type: 'query_collection' | 'remote_schema' | 'action'
      readonly source: null
      readonly key: JsonObject
      readonly attribute: Path
    }
  /** A type of actions, whoever declares it. */
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

export interface ResourceKind extends Declaration {
  /** `select_permission` */
  readonly name: string
  readonly version: number
  readonly attributes: Attributes
  readonly fields: readonly Field[]
  readonly schema: z.ZodType
  readonly identityPaths: readonly (readonly string[])[]
}

/** Compiles a declaration. Throws Error where it is none that every tool can show. */
export function defineResource(declared: Declaration): ResourceKind {
  const holds = childTypesOf(declared.type).length > 0
  const declaration = holds ? { ...declared, inputs: { ...declared.inputs, ...forceDestroy } } : declared
  const { kind, inputs } = declaration
  const attributes = compileAttributes(inputs)
  const identityPaths = declaration.identity.map((path) => path.split('.'))
  const problems = [
    ...(/^([A-Z][a-z0-9]*)+$/.test(kind) ? [] : ['its name is not in PascalCase']),
    ...checkAttributes(attributes),
    ...identityPaths.flatMap(([head = '']) => (attributes[head]?.replace ? [] : [`${head}: identity must replace`])),
    ...(declaration.example.length === Math.max(identityPaths.length, 1)
      ? []
      : ['its example has another length than its identity']),
  ]
  if (problems.length > 0) throw new Error(`${kind}: ${problems.join('; ')}`)
  return {
    ...declaration,
    name: snakeCase(kind),
    version: declaration.upgrades?.length ?? 0,
    attributes,
    fields: Object.entries(attributes).map(([name, attribute]) => fieldOf(name, attribute, declaration)),
    schema: z.strictObject(inputs),
    identityPaths,
  }
}

function fieldOf(name: string, attribute: Attribute, { inputs, codecs = {} }: Declaration): Field {
  const schema = inputs[name]
  const { at = name } = schema ? metaOf(schema) : {}
  const { encode = same, decode = same, decodePath = same } = codecs[name] ?? {}
  return { name, attribute, at: at === null ? null : at.split('.'), encode, decode, decodePath }
}

const same = <T>(one: T): T => one

const snakeCase = (kind: string) => kind.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
