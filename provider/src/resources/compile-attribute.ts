import './attribute-meta.ts'
import { globalRegistry, type z } from 'zod'
import type { Attribute, Attributes, AttributeType } from './attribute.ts'
import type { Value } from './value.ts'

type Schema = z.core.$ZodType
type Meta = z.core.GlobalMeta
export type InputShape = Readonly<Record<string, z.ZodType>>

/** The attribute tree of zod inputs. Throws Error for what not every tool could show: transforms, open unions. */
export function compileAttributes(shape: InputShape, at: readonly string[] = []): Attributes {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, compileAttribute(schema, [...at, name])]),
  )
}

type Def =
  | { readonly type: 'optional'; readonly innerType: Schema }
  | { readonly type: 'default'; readonly innerType: Schema; readonly defaultValue: unknown }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, string | number>> }
  | { readonly type: 'array'; readonly element: Schema }
  | { readonly type: 'record'; readonly valueType: Schema }
  | { readonly type: 'object'; readonly shape: unknown }
  | { readonly type: 'number'; readonly format?: string }
  | { readonly type: 'string' | 'boolean' | 'unknown' | 'pipe' | 'transform' | 'union' }

/** The types of zod that declarations are made of, and some they must not be made of. */
const defOf = (schema: Schema): Def => schema._zod.def as Def

/** Everything said of a schema, whichever wrapper it was said of. */
export function metaOf(schema: Schema): Meta {
  const own = globalRegistry.get(schema) ?? {}
  const def = defOf(schema)
  return def.type === 'optional' || def.type === 'default' ? { ...metaOf(def.innerType), ...own } : own
}

function compileAttribute(schema: Schema, at: readonly string[]): Attribute {
  const meta = metaOf(schema)
  const { inner, presence, initial } = unwrap(schema)
  return {
    type: compileType(inner, meta, at),
    description: meta.description ?? '',
    presence,
    ...(initial === undefined ? {} : { default: initial }),
    ...(meta.unless === undefined ? {} : { unless: meta.unless }),
    ...(meta.providerDefault === undefined ? {} : { providerDefault: meta.providerDefault }),
    replace: meta.replace ?? false,
    sensitive: meta.sensitive ?? false,
    writeOnly: meta.writeOnly ?? false,
  }
}

interface Unwrapped {
  readonly inner: Schema
  readonly presence: 'required' | 'optional'
  readonly initial?: Value
}

function unwrap(schema: Schema): Unwrapped {
  const def = defOf(schema)
  if (def.type === 'default')
    return { inner: unwrap(def.innerType).inner, presence: 'optional', initial: def.defaultValue as Value }
  if (def.type === 'optional') return { inner: unwrap(def.innerType).inner, presence: 'optional' }
  return { inner: schema, presence: 'required' }
}

function compileType(schema: Schema, meta: Meta, at: readonly string[]): AttributeType {
  const def = defOf(schema)
  const named = meta.typeName === undefined ? {} : { name: meta.typeName }
  const element = (inner: Schema) => compileType(unwrap(inner).inner, metaOf(inner), at)
  switch (def.type) {
    case 'string':
      return { kind: 'string' }
    case 'enum':
      return { kind: 'string', choices: Object.values(def.entries).map(String), ...named }
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
      return { kind: 'format' in def ? 'integer' : 'number' }
    case 'array':
      return { kind: meta.set ? 'set' : 'list', of: element(def.element) }
    case 'record':
      return { kind: 'map', of: element(def.valueType) }
    case 'object':
      return { kind: 'object', attributes: compileAttributes(def.shape as InputShape, at), ...named }
    case 'unknown':
      if (meta.json) return { kind: 'json', ...(meta.json === 'text' && { isText: true }) }
  }
  throw new Error(`${at.join('.')}: not every tool can show a ${def.type}`)
}
