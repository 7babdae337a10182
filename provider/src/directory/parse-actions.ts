import { type CustomTypeList, isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'
import { GraphQLError } from 'graphql/error/GraphQLError.js'
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
} from 'graphql/language/index.js'
import { DirectoryError } from './directory-error.ts'
import { customTypeKinds } from './print-actions.ts'

interface ParsedSdl {
  /** The part of each action's definition that its field says. */
  readonly actions: ReadonlyMap<string, JsonObject>
  readonly types: Readonly<Record<CustomTypeList, ReadonlyMap<string, JsonObject>>>
  readonly defaults: readonly string[]
}

export interface ParsedActions {
  readonly actions: readonly JsonObject[]
  readonly custom_types: JsonObject
  /** Arguments and fields with a default value, which metadata has no place for, each once. */
  readonly defaults: readonly string[]
}

/** actions.graphql and actions.yaml joined again (reference/metadata-directory#commands). Throws DirectoryError. */
export function parseActions(sdl: string, yaml: Json | undefined): ParsedActions {
  const parsed = parseSdl(sdl)
  if (yaml !== undefined && yaml !== null && !isRecord(yaml))
    throw new DirectoryError('actions.yaml: expected an object')
  const { actions: given, custom_types } = (yaml ?? {}) as JsonObject
  const listed = items(given, 'actions')
  const actions = listed.map((action) => joinAction(action, parsed))
  const names = new Set(listed.map((action) => action.name))
  const lonely = [...parsed.actions.keys()].find((name) => !names.has(name))
  if (lonely !== undefined) throw new DirectoryError(`action ${lonely} is not present in actions.yaml`)
  const types = joinTypes(recordOf(custom_types), parsed)
  return { actions, custom_types: types, defaults: parsed.defaults }
}

function items(json: Json | undefined, key: string): readonly JsonObject[] {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json) || !json.every(isRecord))
    throw new DirectoryError(`actions.yaml: ${key} is not a list of objects`)
  return json
}

function joinAction(action: JsonObject, parsed: ParsedSdl): JsonObject {
  const definition = recordOf(action.definition)
  const field = parsed.actions.get(String(action.name))
  if (!field && definition.output_type === undefined)
    throw new DirectoryError(`action ${String(action.name)} is not present in actions.graphql`)
  return { ...action, definition: { ...definition, ...field } }
}

function joinTypes(given: JsonObject, parsed: ParsedSdl): JsonObject {
  const lists = customTypeKinds.map((kind): readonly [string, Json] => {
    const listed = items(given[kind], kind)
    const joined = listed.map((type) => {
      const fromSdl = parsed.types[kind].get(String(type.name))
      if (!fromSdl && kind !== 'scalars' && type.fields === undefined && type.values === undefined)
        throw new DirectoryError(`custom type ${String(type.name)} is not present in actions.graphql`)
      return { ...fromSdl, ...type }
    })
    const names = new Set(listed.map((type) => type.name))
    const unlisted = [...parsed.types[kind]].flatMap(([name, type]) => (names.has(name) ? [] : [type]))
    return [kind, [...joined, ...unlisted]]
  })
  return { ...given, ...Object.fromEntries(lists) }
}

const rootTypes: ReadonlyMap<string, string> = new Map([
  ['Query', 'query'],
  ['Mutation', 'mutation'],
])

function parseSdl(sdl: string): ParsedSdl {
  const actions = new Map<string, JsonObject>()
  const types: Record<CustomTypeList, Map<string, JsonObject>> = {
    enums: new Map(),
    input_objects: new Map(),
    objects: new Map(),
    scalars: new Map(),
  }
  const definitions = definitionsOf(sdl)
  for (const node of definitions) {
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION: {
        const root = rootTypes.get(node.name.value)
        if (root) for (const field of node.fields ?? []) actions.set(field.name.value, actionOf(field, root))
        else merge(types.objects, node.name.value, describe(node), 'fields', (node.fields ?? []).map(fieldOf))
        break
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_EXTENSION:
        merge(types.input_objects, node.name.value, describe(node), 'fields', (node.fields ?? []).map(inputOf))
        break
      case Kind.ENUM_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_EXTENSION: {
        const values = (node.values ?? []).map((value) => ({
          value: value.name.value,
          ...describe(value),
          ...(value.directives?.some(({ name }) => name.value === 'deprecated') ? { is_deprecated: true } : {}),
        }))
        merge(types.enums, node.name.value, describe(node), 'values', values)
        break
      }
      case Kind.SCALAR_TYPE_DEFINITION:
        types.scalars.set(node.name.value, { name: node.name.value, ...describe(node) })
        break
      default:
        throw new DirectoryError(`actions.graphql: ${firstLine(print(node))} is neither an action nor a type of one`)
    }
  }
  return { actions, types, defaults: definitions.flatMap(defaultsIn) }
}

/** `pay.card`, `Item.count`: what has a default value in a definition. */
function defaultsIn(node: DefinitionNode): readonly string[] {
  if (!('name' in node && 'fields' in node)) return []
  const type = node.name?.value ?? ''
  return (node.fields ?? []).flatMap((field) => {
    if (field.kind === Kind.INPUT_VALUE_DEFINITION) return field.defaultValue ? [`${type}.${field.name.value}`] : []
    const holder = rootTypes.has(type) ? field.name.value : `${type}.${field.name.value}`
    return (field.arguments ?? []).flatMap((one) => (one.defaultValue ? [`${holder}.${one.name.value}`] : []))
  })
}

const firstLine = (text: string) => text.split('\n')[0] ?? text

function definitionsOf(sdl: string): readonly DefinitionNode[] {
  if (/^\s*(#.*\s*)*$/.test(sdl)) return []
  try {
    return parse(sdl, { maxTokens: 1_000_000 }).definitions
  } catch (error) {
    if (error instanceof GraphQLError) {
      const line = error.locations?.[0]?.line
      throw new DirectoryError(`actions.graphql${line === undefined ? '' : ` line ${line}`}: ${error.message}`)
    }
    if (error instanceof RangeError) throw new DirectoryError('actions.graphql: nested too deep')
    throw error
  }
}

/** An extension adds to what the definition said. */
function merge(
  types: Map<string, JsonObject>,
  name: string,
  described: JsonObject,
  key: string,
  parts: readonly JsonObject[],
): void {
  const before = types.get(name)
  const earlier = Array.isArray(before?.[key]) ? (before[key] as readonly Json[]) : []
  types.set(name, { name, ...before, ...described, [key]: [...earlier, ...parts] })
}

function actionOf(field: FieldDefinitionNode, type: string): JsonObject {
  const given = (field.arguments ?? []).map(inputOf)
  return { ...(given.length > 0 ? { arguments: given } : {}), output_type: print(field.type), type }
}

function fieldOf(field: FieldDefinitionNode): JsonObject {
  const given = (field.arguments ?? []).map(inputOf)
  return {
    name: field.name.value,
    type: print(field.type),
    ...describe(field),
    ...(given.length > 0 ? { arguments: given } : {}),
  }
}

const inputOf = (value: InputValueDefinitionNode): JsonObject => ({
  name: value.name.value,
  type: print(value.type),
  ...describe(value),
})

/** Extensions have no description of their own. */
const describe = (node: { readonly description?: { readonly value: string } | undefined } | object): JsonObject =>
  'description' in node && node.description ? { description: node.description.value } : {}
