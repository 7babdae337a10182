/** Values that a remote schema is sent: the client's, session variables, presets of input fields. */
import { isRecord } from '@svc/schema'
import { Kind, type ValueNode } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import { isRawNumber } from '../exact-json/index.ts'
import type { FixedValue, VisibleRemote } from '../model/index.ts'
import { fieldKey, namedTypeOf, type Preset, type RemoteTypeRef } from '../remote-schemas/index.ts'
import type { Session } from '../session.ts'
import { isObjectValue, over } from './fixed-values.ts'

export function sessionValue(
  visible: VisibleRemote,
  { variables }: Session,
  name: string,
  type: RemoteTypeRef,
): unknown {
  const text = variables.get(name)
  if (text === undefined)
    throw new ApiError('not-found', Path.root, `"${name}" session variable expected, but not found`)
  const typeName = namedTypeOf(type)
  const cannot = (what: string) =>
    new ApiError('coercion-error', Path.root, `${JSON.stringify(text)} cannot be coerced into ${what} value`)
  switch (typeName) {
    case 'Int':
      if (!/^[+-]?\d+$/.test(text)) throw cannot('an Int')
      return JSON.rawJSON(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
    case 'Float':
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw cannot('a Float')
      return JSON.rawJSON(text)
    case 'Boolean':
      if (!/^(true|false)$/i.test(text)) throw cannot('a Boolean')
      return text.toLowerCase() === 'true'
  }
  const own = visible.remote.types.types.get(typeName)
  if (own?.kind === 'ENUM' && !own.values.some((value) => value.name === text)) throw cannot(`a ${typeName}`)
  return text
}

/** Returns a value without members of objects that are null, at any depth; undefined where it is null itself. */
export function withoutNulls(json: unknown): unknown {
  if (json === null) return undefined
  if (Array.isArray(json)) return json.map((item: unknown) => (item === null ? null : withoutNulls(item)))
  if (!isRecord(json) || isRawNumber(json)) return json
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(json)) {
    const kept = withoutNulls(value)
    if (kept !== undefined) result[name] = kept
  }
  return result
}

/**
 * A value with the presets of input fields, wherever there are objects of their types. `fixed`: what a relationship
 * sets of it, which presets do not replace (docs/remote-relationships.md, "Who sees one"). `inside`: the presets whose
 * value it is, the outermost first: what a preset says itself is not replaced, and none is applied in its own value;
 * null: it is the client's.
 */
export function merged(
  visible: VisibleRemote,
  session: Session,
  type: RemoteTypeRef,
  json: unknown,
  fixed: FixedValue | null = null,
  inside: readonly string[] | null = null,
): unknown {
  if (type.kind === 'non-null') return merged(visible, session, type.of, json, fixed, inside)
  if (json === null || json === undefined) return json
  if (type.kind === 'list') {
    const items: readonly unknown[] = Array.isArray(json) ? json : [json]
    // those of a relationship are the last
    const last = fixed?.kind === 'list' ? fixed.items : []
    const first = items.length - last.length
    return items.map((item, i) => merged(visible, session, type.of, item, last[i - first] ?? null, inside))
  }
  const own = visible.remote.types.types.get(type.name)
  if (own?.kind !== 'INPUT_OBJECT' || !isRecord(json)) return json
  const given = new Map(fixed?.kind === 'object' ? fixed.fields : [])
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(json)) {
    const field = own.fields.get(name)
    result[name] = field ? merged(visible, session, field.type, value, given.get(name), inside) : value
  }
  for (const [name, preset] of visible.presets.inputs.get(type.name) ?? []) {
    const field = own.fields.get(name)
    const key = fieldKey(type.name, name)
    if (!field || (inside !== null && (Object.hasOwn(json, name) || inside.includes(key)))) continue
    const value = presetValue(visible, session, preset, field.type, [...(inside ?? []), key])
    if (!given.has(name)) result[name] = value
    else if (isObjectValue(value) && isObjectValue(result[name])) result[name] = over(value, result[name])
  }
  return result
}

export const presetValue = (
  visible: VisibleRemote,
  session: Session,
  preset: Preset,
  type: RemoteTypeRef,
  inside: readonly string[] = [],
): unknown =>
  preset.kind === 'session'
    ? sessionValue(visible, session, preset.variable, type)
    : merged(visible, session, type, jsonOf(preset.value), null, inside)

/** Returns a value of a document. A variable that is undefined is absent: from an object, or altogether (undefined). */
export function jsonOf(node: ValueNode, variable: (name: string) => unknown = () => undefined): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variable(node.name.value)
    case Kind.INT:
    case Kind.FLOAT:
      return JSON.rawJSON(node.value)
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map((item) => jsonOf(item, variable) ?? null)
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.flatMap(({ name, value }) => {
          const json = jsonOf(value, variable)
          return json === undefined ? [] : [[name.value, json]]
        }),
      )
  }
}
