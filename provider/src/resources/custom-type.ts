import {
  type CustomTypeList,
  customEnum,
  customObject,
  customTypeLists,
  type Json,
  type JsonObject,
  namedTypeOf,
  parseGraphqlType,
} from '@svc/schema'
import { identifying } from './attributes-of.ts'
import { fieldList, relationshipList, tablesByName, valueList } from './custom-type-attributes.ts'
import { isCustomTypeName } from './custom-type-name.ts'
import { relatedTables } from './custom-types.ts'
import { defineResource, type Part, type Reference } from './define-resource.ts'
import { defined, isObject } from './in-table.ts'
import { op } from './operation.ts'

/** One type of actions, where several stacks have theirs. */
export const customType = defineResource({
  kind: 'CustomType',
  type: 'custom_types',
  description: [
    'One type of the arguments and answers of actions.',
    'Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead.',
  ].join(' '),
  inputs: {
    name: identifying('Its name, which no other type has.'),
    description: 'Description of the type in GraphQL.',
    input_fields: { ...fieldList, description: 'Of an object that arguments are made of: its fields.', from: 'fields' },
    fields: { ...fieldList, description: 'Of an object that answers are made of: its fields.' },
    relationships: {
      ...relationshipList,
      description: 'In addition to `fields`: what leads to rows of tables, by fields that hold values of columns.',
    },
    values: { ...valueList, description: 'Of an enum: its values.' },
    scalar: { description: 'Whether it is a scalar, which may be any JSON.', type: 'boolean', default: false },
  },
  schemas: [customObject, customEnum],
  identity: ['name'],
  example: ['Order'],
  exactlyOne: [['input_fields', 'fields', 'values', 'scalar']],
  standsBeside: true,
  part: typeInList(),
  dependsOn: (_, { name, input_fields, fields, relationships }) => [
    ...typesOf(input_fields, 'input_fields', name),
    ...typesOf(fields, 'fields', name),
    ...relatedTables(relationships, 'relationships'),
  ],
  create: (now) => [op('create_custom_type', argumentsOf(now))],
  update: (_, now) => [op('create_custom_type', { ...argumentsOf(now), replace: true })],
  delete: ({ name = null }) => [op('drop_custom_type', { name })],
})

function typesOf(fields: Json | undefined, attribute: string, own: Json | undefined): readonly Reference[] {
  return (Array.isArray(fields) ? (fields as readonly Json[]) : []).flatMap((field, i): readonly Reference[] => {
    const type = isObject(field) && typeof field.type === 'string' ? parseGraphqlType(field.type) : null
    const name = type && namedTypeOf(type)
    return name === null || name === own || !isCustomTypeName(name)
      ? []
      : [{ to: 'custom-type', source: null, name, attribute: [attribute, i, 'type'] }]
  })
}

const listOf = (type: JsonObject): CustomTypeList =>
  type.input_fields !== undefined
    ? 'input_objects'
    : type.fields !== undefined
      ? 'objects'
      : type.values !== undefined
        ? 'enums'
        : 'scalars'

function argumentsOf(type: JsonObject): JsonObject {
  const list = listOf(type)
  return { [customTypeLists[list]]: itemOf(type) }
}

/** As the list has it. */
function itemOf(type: JsonObject): JsonObject {
  const { name = null, description, input_fields, fields, relationships, values } = type
  return defined({ name, description, fields: input_fields ?? fields, relationships, values })
}

function typeOf(list: CustomTypeList, item: JsonObject): JsonObject {
  const { fields = null, relationships, ...others } = item
  switch (list) {
    case 'input_objects':
      return { ...others, input_fields: fields }
    case 'objects':
      return defined({ ...others, fields, relationships: tablesByName(relationships) })
    case 'enums':
      return others
    case 'scalars':
      return { ...others, scalar: true }
  }
}

const lists = Object.keys(customTypeLists) as readonly CustomTypeList[]

function typeInList(): Part {
  return {
    assemble(types) {
      const items = (list: CustomTypeList) => types.filter((type) => listOf(type) === list).map(itemOf)
      return Object.fromEntries(
        lists.flatMap((list) => (items(list).length === 0 ? [] : [[list, items(list)] as const])),
      )
    },
    parts: (whole) =>
      lists.flatMap((list) => {
        const items = whole[list]
        return (Array.isArray(items) ? (items as readonly Json[]) : []).filter(isObject).map((one) => typeOf(list, one))
      }),
    key: ({ name = null }) => String(name),
    path([head, ...rest]) {
      const list = lists.find((one) => one === head || (customTypeLists[one] === head && rest.length > 0))
      if (!list) return head === undefined ? [] : [head, ...rest]
      const [first, ...others] = head === list ? rest.slice(1) : rest
      if (first === undefined) return []
      return [first === 'fields' && list === 'input_objects' ? 'input_fields' : first, ...others]
    },
  }
}
