import { Kind, print, type TypeNode, type ValueNode, valueFromASTUntyped } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { VisibleRemote } from '../../model/index.ts'
import {
  fieldKey,
  namedTypeOf,
  outputField,
  type Preset,
  publicType,
  type RemoteField,
  type RemoteTypeRef,
  refText,
} from '../../remote-schemas/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import { checkInput, type InputCheck } from './check-input.ts'
import { checkPermitted, isWhole } from './permitted-input.ts'
import type { RemoteWalk } from './remote-walk.ts'

/**
 * Returns the text of a field's arguments for the remote schema. `but`: those that a relationship sets are left out.
 */
export function argumentsText(
  walk: RemoteWalk,
  type: string,
  own: RemoteField,
  args: ReadonlyMap<string, GivenArgument>,
  but: ReadonlySet<string> = none,
): string {
  const { visible } = walk
  const texts = [...args].flatMap(([name, { field, raw, path }]) => {
    const declared = own.args.get(name)
    if (!declared || raw.kind !== 'node') return []
    checkInput(field.type, raw.node, field.defaultValue !== null, path, checking(walk))
    const node = walk.context.settings.skipsRemoteNulls ? withoutNulls(raw.node) : raw.node
    return node ? [`${name}: ${valueText(walk, declared.type, node, path)}`] : []
  })
  for (const [name, preset] of visible.presets.args.get(fieldKey(type, own.name)) ?? []) {
    if (but.has(name)) continue
    const upstream = upstreamArgument(visible, type, own.name, name)
    texts.push(`${name}: ${presetText(walk, preset, upstream)}`)
  }
  return texts.join(', ')
}

const none: ReadonlySet<string> = new Set()

/** Checks the value of an argument. Throws validation-failed. */
export function checkGiven(walk: RemoteWalk, { field, raw, path }: GivenArgument): void {
  if (raw.kind === 'node') checkInput(field.type, raw.node, field.defaultValue !== null, path, checking(walk))
}

/** Returns the type of an argument as the remote schema declares it. */
export function upstreamArgument({ remote }: VisibleRemote, type: string, field: string, name: string): RemoteTypeRef {
  const argument = outputField(remote.types, type, field)?.args.get(name)
  if (!argument) throw new Error(`${type}.${field} has no argument ${name}`)
  return argument.type
}

/** What is wrong with a value ends the walk. */
const checking = (walk: RemoteWalk): InputCheck => ({
  types: walk.context.schema,
  variables: walk.context.variables.declared,
  inputTypes: new Map(),
  report: refuse,
  warn: refuse,
})

function refuse(path: Path, message: string): never {
  throw invalid(path, message)
}

/** Returns the value without members of objects that are null, at any depth; undefined where it is null itself. */
export function withoutNulls(node: ValueNode): ValueNode | undefined {
  switch (node.kind) {
    case Kind.NULL:
      return undefined
    case Kind.OBJECT: {
      const fields = node.fields.flatMap((field) => {
        const value = withoutNulls(field.value)
        return value ? [{ ...field, value }] : []
      })
      return { ...node, fields }
    }
    case Kind.LIST:
      return { ...node, values: node.values.map((item) => withoutNulls(item) ?? item) }
    default:
      return node
  }
}

/** A value as upstream gets it. One that presets of input fields are put into becomes a variable of its own. */
function valueText(walk: RemoteWalk, type: RemoteTypeRef, node: ValueNode, path: Path): string {
  if (hasPresets(walk.visible, type, new Set())) return mergedText(walk, type, node, false)
  for (const name of variablesIn(node)) passVariable(walk, name, path)
  return print(node)
}

function mergedText(walk: RemoteWalk, type: RemoteTypeRef, value: ValueNode, isPreset: boolean): string {
  const name = freeName(walk, `svc_json_var_${walk.merged.length + 1}`)
  walk.merged.push({ name, value, type, isPreset })
  walk.definitions.set(name, refText(type))
  return `$${name}`
}

/** Returns a name that no variable of the client or the engine has. */
function freeName({ definitions, context }: RemoteWalk, wanted: string): string {
  let name = wanted
  while (definitions.has(name) || context.variables.declared.has(name)) name += '_'
  return name
}

function passVariable(walk: RemoteWalk, name: string, path: Path): void {
  const definition = walk.context.variables.declared.get(name)
  if (!definition || walk.variables.has(name)) return
  walk.variables.add(name)
  const type = upstreamRef(walk.visible, definition.type)
  if (!isWhole(walk.visible)) {
    walk.checked.set(name, type)
    if (definition.defaultValue) checkPermitted(walk.visible, type, valueFromASTUntyped(definition.defaultValue), path)
  }
  const initial = definition.defaultValue ? ` = ${print(definition.defaultValue)}` : ''
  walk.definitions.set(name, `${refText(type)}${initial}`)
}

function upstreamRef(visible: VisibleRemote, node: TypeNode): RemoteTypeRef {
  switch (node.kind) {
    case Kind.NON_NULL_TYPE:
      return { kind: 'non-null', of: upstreamRef(visible, node.type) }
    case Kind.LIST_TYPE:
      return { kind: 'list', of: upstreamRef(visible, node.type) }
    case Kind.NAMED_TYPE: {
      const { value } = node.name
      return { kind: 'named', name: upstreamType(visible, value) ?? upstreamScalar(visible, value) }
    }
  }
}

/** Built-in scalars are no types of the remote's own, and yet may be renamed. */
function upstreamScalar({ remote }: VisibleRemote, shown: string): string {
  for (const [name, as] of remote.naming.types) if (as === shown) return name
  return shown
}

function variablesIn(node: ValueNode): readonly string[] {
  switch (node.kind) {
    case Kind.VARIABLE:
      return [node.name.value]
    case Kind.LIST:
      return node.values.flatMap(variablesIn)
    case Kind.OBJECT:
      return node.fields.flatMap(({ value }) => variablesIn(value))
    default:
      return []
  }
}

/** Whether an input type somewhere in it has fields that clients may not set. */
function hasPresets({ presets, remote }: VisibleRemote, ref: RemoteTypeRef, seen: Set<string>): boolean {
  if (presets.inputs.size === 0) return false
  const name = namedTypeOf(ref)
  if (presets.inputs.has(name)) return true
  const type = remote.types.types.get(name)
  if (type?.kind !== 'INPUT_OBJECT' || seen.has(name)) return false
  seen.add(name)
  return [...type.fields.values()].some((field) => hasPresets({ presets, remote } as VisibleRemote, field.type, seen))
}

function presetText(walk: RemoteWalk, preset: Preset, type: RemoteTypeRef): string {
  if (preset.kind === 'literal')
    return hasPresets(walk.visible, type, new Set()) ? mergedText(walk, type, preset.value, true) : print(preset.value)
  const name = preset.variable.replaceAll('-', '_')
  const text = refText(type)
  const known = walk.presets.find((one) => one.session === preset.variable && refText(one.type) === text)
  if (known) return `$${known.name}`
  const own = freeName(walk, name)
  walk.presets.push({ name: own, session: preset.variable, type })
  walk.definitions.set(own, text.endsWith('!') ? text : `${text}!`)
  return `$${own}`
}

/** Returns the remote schema's name of a type that the role sees under `shown`. */
export function upstreamType({ types, remote }: VisibleRemote, shown: string): string | undefined {
  for (const name of types.types.keys()) if (publicType(remote.naming, name) === shown) return name
  return undefined
}
