import {
  type FieldNode,
  Kind,
  print,
  type SelectionNode,
  type TypeNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { ApiError, Path } from '../../errors.ts'
import type { Expected } from '../../json-bytes/index.ts'
import type { VisibleRemote } from '../../model/index.ts'
import {
  fieldKey,
  namedTypeOf,
  type Preset,
  publicType,
  type RemoteField,
  type RemoteTypeRef,
  refText,
} from '../../remote-schemas/index.ts'
import { argumentInputs, type GivenArgument } from '../selection/arguments.ts'
import { type Context, countSelection, deeper } from '../selection/context.ts'
import { stays } from '../selection/read-directives.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RemoteMeaning } from '../types/remote-types.ts'
import { type Field, type NamedType, namedOf } from '../types/type.ts'
import { type AskedFields, askField } from './asked-fields.ts'
import { checkInput, type InputCheck } from './check-input.ts'
import { expectedAnswer } from './expected-answer.ts'
import { checkPermitted, isWhole } from './permitted-input.ts'
import { asJoin, joinText, type PendingJoin, planPendingJoins } from './remote-type-join.ts'

/** A root field that another server answers: one request. */
export interface PlannedRemote {
  readonly kind: 'remote'
  readonly responseKey: string
  readonly remote: string
  readonly operation: 'query' | 'mutation' | 'subscription'
  /** What follows the name of the operation: the variables' definitions and the selection set. */
  readonly rest: string
  /** Variables of the client that are passed on. */
  readonly variables: readonly string[]
  /** Types of those that may hold what the role may not use. */
  readonly checked: ReadonlyMap<string, RemoteTypeRef>
  /** What variables are that the client does not give. */
  readonly defaults: VariableDefaults
  readonly presets: readonly SessionPreset[]
  readonly merged: readonly MergedValue[]
  /** What its answer has to be. */
  readonly expected: Expected
  /** Of the field, for errors of its answer. */
  readonly path: Path
}

export type VariableDefaults = ReadonlyMap<string, ValueNode>

/** A variable that a session variable fills. */
export interface SessionPreset {
  readonly name: string
  /** Lower case. */
  readonly session: string
  readonly type: RemoteTypeRef
}

/** A variable that is made of what the client gives and of presets of input fields. */
export interface MergedValue {
  readonly name: string
  readonly value: ValueNode
  readonly type: RemoteTypeRef
}

type RemoteRootMeaning = Extract<QueryRootMeaning, { readonly kind: 'remote' }>

export function planRemote(
  context: Context,
  { as, field, args, selections, path }: SelectedField<QueryRootMeaning>,
  meaning: RemoteRootMeaning,
): PlannedRemote {
  const { visible, root } = meaning
  const { remote } = visible
  context.uses.add('remote', remote.name)
  const walk = remoteWalk(context, visible)
  const asked: AskedFields = new Map()
  const own = fieldText(walk, field, as, args, selections, path, asked)
  const definitions = definitionsOf(walk)
  planPendingJoins(walk)
  const answer = asked.get(as)
  if (!answer) throw new Error(`the walk did not ask for ${as}`)
  return {
    kind: 'remote',
    responseKey: as,
    remote: remote.name,
    operation: root,
    rest: `${definitions.length > 0 ? `(${definitions.join(', ')}) ` : ''}{ ${own} }`,
    variables: [...walk.variables],
    checked: walk.checked,
    defaults: variableDefaults(context),
    presets: walk.presets,
    merged: walk.merged,
    expected: expectedAnswer(remote, answer),
    path,
  }
}

export interface RemoteWalk {
  readonly context: Context
  readonly visible: VisibleRemote
  /** Types of the variables, as upstream has them, by name. */
  readonly definitions: Map<string, string>
  readonly variables: Set<string>
  readonly checked: Map<string, RemoteTypeRef>
  readonly presets: SessionPreset[]
  readonly merged: MergedValue[]
  /** Fields that others answer, by where they stand, then by type and response key. */
  readonly joins: Map<AskedFields, Map<string, PendingJoin>>
  /** How many there are. */
  joinCount: number
  /** Fragments around the selection that only objects of some type are in. */
  conditions: number
}

export const remoteWalk = (context: Context, visible: VisibleRemote): RemoteWalk => ({
  context,
  visible,
  definitions: new Map(),
  variables: new Set(),
  checked: new Map(),
  presets: [],
  merged: [],
  joins: new Map(),
  joinCount: 0,
  conditions: 0,
})

export const variableDefaults = ({ variables }: Context): VariableDefaults =>
  new Map(
    [...variables.declared].flatMap(([name, { defaultValue }]) =>
      defaultValue ? [[name, defaultValue] as const] : [],
    ),
  )

export const definitionsOf = ({ definitions }: RemoteWalk): readonly string[] =>
  [...definitions].map(([name, text]) => `$${name}: ${text}`)

function fieldText(
  walk: RemoteWalk,
  field: Field<unknown>,
  as: string,
  args: ReadonlyMap<string, GivenArgument>,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): string {
  const { type, field: upstream } = field.meaning as RemoteMeaning
  const own = ownField(walk.visible, type, upstream)
  const alias = as === upstream ? upstream : `${as}: ${upstream}`
  const texts = argumentsText(walk, type, own, args)
  const given = texts === '' ? '' : `(${texts})`
  const below = askField(fields, as, { types: [own.type], isRequired: walk.conditions === 0 })
  if (selections.length === 0) return `${alias}${given}`
  const inside = selectionText(walk, namedTypeOf(own.type), selections, path.at('selectionSet'), below)
  return `${alias}${given} { ${inside} }`
}

function ownField(visible: VisibleRemote, type: string, field: string): RemoteField {
  const found = visible.types.types.get(type)
  const own = found && 'fields' in found && found.kind !== 'INPUT_OBJECT' ? found.fields.get(field) : undefined
  if (!own) throw new Error(`the walk reached ${type}.${field}, which the role does not see`)
  return own
}

export function selectionText(
  walk: RemoteWalk,
  typeName: string,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): string {
  const { context } = walk
  const type = context.schema.remoteType(walk.visible, typeName)
  if (!type) throw new Error(`the walk reached ${typeName}, which the role does not see`)
  return deeper(context, path, () => {
    const texts = selections.flatMap((selection) => textsOf(walk, type, typeName, selection, path, fields))
    if (texts.length > 0) return texts.join(' ')
    // GraphQL has no empty selection set
    askField(fields, nothingAlias, { types: [typenameType], isHidden: true })
    return `${nothingAlias}: __typename`
  })
}

function textsOf(
  walk: RemoteWalk,
  type: NamedType,
  typeName: string,
  selection: SelectionNode,
  path: Path,
  fields: AskedFields,
): readonly string[] {
  const { context } = walk
  countSelection(context)
  switch (selection.kind) {
    case Kind.FIELD:
      if (!stays(context, selection.directives, 'FIELD', path)) return []
      return [selectedText(walk, type, typeName, selection, path, fields)]
    case Kind.INLINE_FRAGMENT: {
      if (!stays(context, selection.directives, 'INLINE_FRAGMENT', path)) return []
      const condition = selection.typeCondition?.name.value
      return fragmentText(walk, typeName, condition, selection.selectionSet.selections, path, fields)
    }
    case Kind.FRAGMENT_SPREAD: {
      const name = selection.name.value
      const fragment = context.fragments.get(name)
      if (!fragment) throw invalid(path, `reference to undefined fragment "${name}"`)
      if (!stays(context, selection.directives, 'FRAGMENT_SPREAD', path)) return []
      const { typeCondition, selectionSet } = fragment
      return fragmentText(walk, typeName, typeCondition.name.value, selectionSet.selections, path, fields)
    }
  }
}

/** What response keys begin with that are the engine's own, in requests to remote schemas. */
export const ownAlias = 'svc_join_'
const nothingAlias = `${ownAlias}nothing`
export const typenameType: RemoteTypeRef = { kind: 'non-null', of: { kind: 'named', name: 'String' } }

const invalid = (path: Path, message: string) => new ApiError('validation-failed', path, message)

function selectedText(
  walk: RemoteWalk,
  type: NamedType,
  typeName: string,
  selection: FieldNode,
  path: Path,
  fields: AskedFields,
): string {
  const name = selection.name.value
  const as = selection.alias?.value ?? name
  const at = path.field(name, as)
  if (as.startsWith(ownAlias)) throw invalid(at, `names that begin with "${ownAlias}" are taken in remote schemas`)
  if (name === '__typename') {
    askField(fields, as, { typenameOf: [typeName], isRequired: walk.conditions === 0 })
    return as === name ? name : `${as}: ${name}`
  }
  const field = type.kind === 'OBJECT' || type.kind === 'INTERFACE' ? type.fields.get(name) : undefined
  if (!field) throw invalid(at, `field '${name}' not found in type: '${type.name}'`)
  const selections = selection.selectionSet?.selections ?? []
  const { typeKind, name: shown } = namedOf(field.type)
  const isLeaf = typeKind === 'SCALAR' || typeKind === 'ENUM'
  if (isLeaf && selections.length > 0) throw invalid(at, 'unexpected subselection set for non-object field')
  if (!isLeaf && selections.length === 0) throw invalid(at.at('selectionSet'), `missing selection set for '${shown}'`)
  const args = argumentInputs(walk.context, name, field.args, selection.arguments ?? [], at)
  const join = asJoin(field)
  if (join) {
    const selected = { kind: 'field', as, field: join, args, selections, path: at } as const
    return joinText(walk, typeName, selection, selected, fields)
  }
  return fieldText(walk, field, as, args, selections, at, fields)
}

/** A fragment stands in its place, under the upstream name of its type. */
function fragmentText(
  walk: RemoteWalk,
  typeName: string,
  condition: string | undefined,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): readonly string[] {
  const upstream = condition === undefined ? typeName : upstreamType(walk.visible, condition)
  // of a type that the role does not see nothing is ever there
  if (upstream === undefined) return []
  const isCondition = !isAlways(walk.visible, typeName, upstream)
  if (isCondition) walk.conditions++
  const text = `... on ${upstream} { ${selectionText(walk, upstream, selections, path, fields)} }`
  if (isCondition) walk.conditions--
  return [text]
}

/** Whether each object of a type is of the other one too. */
function isAlways({ remote }: VisibleRemote, type: string, condition: string): boolean {
  const own = remote.types.types.get(type)
  return (
    type === condition || ((own?.kind === 'OBJECT' || own?.kind === 'INTERFACE') && own.interfaces.includes(condition))
  )
}

function upstreamType({ types, remote }: VisibleRemote, shown: string): string | undefined {
  for (const name of types.types.keys()) if (publicType(remote.naming, name) === shown) return name
  return undefined
}

/** `but`: arguments that somebody else gives. */
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

/** Throws what is wrong with the value of an argument. */
export function checkGiven(walk: RemoteWalk, { field, raw, path }: GivenArgument): void {
  if (raw.kind === 'node') checkInput(field.type, raw.node, field.defaultValue !== null, path, checking(walk))
}

export function upstreamArgument({ remote }: VisibleRemote, type: string, field: string, name: string): RemoteTypeRef {
  const found = remote.types.types.get(type)
  const argument =
    found && 'fields' in found && found.kind !== 'INPUT_OBJECT' ? found.fields.get(field)?.args.get(name) : undefined
  if (!argument) throw new Error(`${type}.${field} has no argument ${name}`)
  return argument.type
}

/** What is wrong with a value ends the walk. */
const checking = (walk: RemoteWalk): InputCheck => ({
  types: walk.context.schema,
  variables: walk.context.variables.declared,
  inputTypes: new Map(),
  report(path, message) {
    throw invalid(path, message)
  },
})

/** Without members of objects that are null, at any depth; undefined where it is null itself. */
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
  if (hasPresets(walk.visible, type, new Set())) {
    const name = freeName(walk, `svc_json_var_${walk.merged.length + 1}`)
    walk.merged.push({ name, value: node, type })
    walk.definitions.set(name, refText(type))
    return `$${name}`
  }
  for (const name of variablesIn(node)) passVariable(walk, name, path)
  return print(node)
}

/** A name that neither the client nor the engine has given a variable. */
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

/** Whether an input type somewhere in it has fields that are not the client's to give. */
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
    return hasPresets(walk.visible, type, new Set())
      ? valueText(walk, type, preset.value, Path.root)
      : print(preset.value)
  const name = preset.variable.replaceAll('-', '_')
  const text = refText(type)
  const known = walk.presets.find((one) => one.session === preset.variable && refText(one.type) === text)
  if (known) return `$${known.name}`
  const own = freeName(walk, name)
  walk.presets.push({ name: own, session: preset.variable, type })
  walk.definitions.set(own, text.endsWith('!') ? text : `${text}!`)
  return `$${own}`
}
