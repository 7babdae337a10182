import {
  type CustomTypeList,
  defaultIgnoredClientHeaders,
  equalJson,
  isRecord,
  type Json,
  type JsonObject,
  recordsIn,
} from '@svc/schema'
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  parseType,
  print,
  type StringValueNode,
  type TypeNode,
} from 'graphql/language/index.js'

export interface ActionFiles {
  /** actions.graphql: the fields of actions and the types, as far as SDL can say them. */
  readonly sdl: string
  /** actions.yaml: everything else; what SDL cannot say stands here whole. */
  readonly yaml: JsonObject
}

export const customTypeKinds: readonly CustomTypeList[] = ['enums', 'input_objects', 'objects', 'scalars']

/** Actions and custom types as SDL and the rest of them (reference/metadata-directory#commands). */
export function printActions(actions: readonly JsonObject[], customTypes: JsonObject): ActionFiles {
  const roots = { query: [] as FieldDefinitionNode[], mutation: [] as FieldDefinitionNode[] }
  const plainActions = actions.map((action): JsonObject => {
    const definition = action.definition as JsonObject
    const field = actionField(action)
    if (!field) return { ...action, definition: withoutDefaults(definition) }
    roots[definition.type === 'query' ? 'query' : 'mutation'].push(field)
    const { arguments: _, output_type: __, type: ___, ...rest } = definition
    return { ...action, definition: withoutDefaults(rest) }
  })
  const types = new Map<CustomTypeList, readonly PrintedType[]>(
    customTypeKinds.map((kind) => [kind, recordsIn(customTypes[kind]).map((type) => printType(kind, type))]),
  )
  const definitions = [
    ...rootType('Mutation', roots.mutation),
    ...rootType('Query', roots.query),
    ...(['input_objects', 'objects', 'scalars', 'enums'] as const).flatMap((kind) =>
      (types.get(kind) ?? []).flatMap(({ node }) => (node ? [node] : [])),
    ),
  ]
  const { enums: _, input_objects: __, objects: ___, scalars: ____, ...others } = customTypes
  return {
    sdl: definitions.map((definition) => `${print(definition)}\n`).join('\n'),
    yaml: {
      actions: plainActions,
      custom_types: {
        ...Object.fromEntries(customTypeKinds.map((kind) => [kind, (types.get(kind) ?? []).map(({ rest }) => rest)])),
        ...others,
      },
    },
  }
}

/** The list every action exports, unless it names headers of its own, says nothing in a file. */
function withoutDefaults(definition: JsonObject): JsonObject {
  const { ignored_client_headers, ...rest } = definition
  return ignored_client_headers === undefined || equalJson(ignored_client_headers, defaultIgnoredClientHeaders)
    ? rest
    : definition
}

/** Null where SDL cannot say it: a name that is none in GraphQL, a type that does not parse, unknown keys. */
function actionField(action: JsonObject): FieldDefinitionNode | null {
  const definition = action.definition as JsonObject
  return fieldNode({
    name: action.name ?? null,
    type: definition.output_type ?? null,
    arguments: definition.arguments ?? [],
  })
}

const rootType = (name: string, fields: readonly FieldDefinitionNode[]): readonly DefinitionNode[] =>
  fields.length === 0 ? [] : [{ kind: Kind.OBJECT_TYPE_DEFINITION, name: nameNode(name), fields }]

interface PrintedType {
  readonly node: DefinitionNode | null
  /** What is in actions.yaml: the name, and what SDL cannot express. */
  readonly rest: JsonObject
}

function printType(kind: CustomTypeList, type: JsonObject): PrintedType {
  const node = typeNode(kind, type)
  if (!node) return { node: null, rest: type }
  const { name = null, description: _, fields: __, values: ___, ...rest } = type
  return { node, rest: { name, ...rest } }
}

function typeNode(kind: CustomTypeList, type: JsonObject): DefinitionNode | null {
  const name = nameOf(type.name)
  if (!name || ['Query', 'Mutation'].includes(name.value)) return null
  const described = { name, ...description(type.description) }
  switch (kind) {
    case 'scalars':
      return { kind: Kind.SCALAR_TYPE_DEFINITION, ...described }
    case 'enums': {
      const values = all(recordsIn(type.values).map(enumValue))
      return values?.length ? { kind: Kind.ENUM_TYPE_DEFINITION, ...described, values } : null
    }
    case 'input_objects': {
      const fields = all(recordsIn(type.fields).map(inputValue))
      return fields?.length ? { kind: Kind.INPUT_OBJECT_TYPE_DEFINITION, ...described, fields } : null
    }
    case 'objects': {
      const fields = all(recordsIn(type.fields).map(fieldNode))
      return fields?.length ? { kind: Kind.OBJECT_TYPE_DEFINITION, ...described, fields } : null
    }
  }
}

function fieldNode(field: JsonObject): FieldDefinitionNode | null {
  const { name, type, description: text, arguments: given, ...unknown } = field
  const own = nameOf(name)
  const node = typeOf(type)
  const list = given === undefined ? [] : Array.isArray(given) ? given : null
  if (!own || !node || !list || Object.keys(unknown).length > 0) return null
  const values = all(list.map((one: Json) => (isRecord(one) ? inputValue(one) : null)))
  return values && { kind: Kind.FIELD_DEFINITION, name: own, type: node, arguments: values, ...description(text) }
}

function inputValue(value: JsonObject): InputValueDefinitionNode | null {
  const { name, type, description: text, ...unknown } = value
  const own = nameOf(name)
  const node = typeOf(type)
  if (!own || !node || Object.keys(unknown).length > 0) return null
  return { kind: Kind.INPUT_VALUE_DEFINITION, name: own, type: node, ...description(text) }
}

function enumValue(value: JsonObject): EnumValueDefinitionNode | null {
  const { value: text, description: says, is_deprecated, ...unknown } = value
  const own = nameOf(text)
  if (!own || ['true', 'false', 'null'].includes(own.value) || Object.keys(unknown).length > 0) return null
  const directives: readonly ConstDirectiveNode[] =
    is_deprecated === true ? [{ kind: Kind.DIRECTIVE, name: nameNode('deprecated') }] : []
  return { kind: Kind.ENUM_VALUE_DEFINITION, name: own, directives, ...description(says) }
}

const all = <T>(items: readonly (T | null)[]): readonly T[] | null =>
  items.every((item): item is T & {} => item !== null) ? items : null

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value })

const nameOf = (name: Json | undefined): NameNode | null =>
  typeof name === 'string' && /^[_A-Za-z][_0-9A-Za-z]*$/.test(name) ? nameNode(name) : null

function typeOf(type: Json | undefined): TypeNode | null {
  if (typeof type !== 'string') return null
  try {
    const node = parseType(type)
    return print(node) === type ? node : null
  } catch {
    return null
  }
}

function description(text: Json | undefined): { readonly description?: StringValueNode } {
  if (typeof text !== 'string' || text === '') return {}
  return { description: { kind: Kind.STRING, value: text, block: text.includes('\n') } }
}
