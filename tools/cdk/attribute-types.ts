import { type Attribute, type Attributes, type AttributeType, innermost } from '../../provider/src/core/index.ts'
import { pulumiName } from '../../provider/src/pulumi/index.ts'

/** `is_enum` -> `isEnum` */
export const camelName = pulumiName

export const pascalName = (name: string): string => {
  const camel = camelName(name)
  return `${camel.slice(0, 1).toUpperCase()}${camel.slice(1)}`
}

/** What an object is called that has no name of its own: after where it stands. */
type AttributePlace = readonly string[]

const interfaceName = (type: AttributeType & { readonly kind: 'object' }, place: AttributePlace): string =>
  type.name ?? place.map(pascalName).join('')

/** The type of an input in TypeScript. */
function inputType(type: AttributeType, place: AttributePlace): string {
  switch (type.kind) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean | IResolvable'
    case 'integer':
    case 'number':
      return 'number'
    case 'json':
      return 'unknown'
    case 'list':
    case 'set':
      return type.of.kind === 'string' ? 'readonly string[]' : `readonly (${inputType(type.of, place)})[] | IResolvable`
    case 'map':
      return `Readonly<Record<string, ${inputType(type.of, place)}>> | IResolvable`
    case 'object':
      return `${interfaceName(type, place)} | IResolvable`
  }
}

/** How an output is read, and its type. */
export function outputOf(name: string, type: AttributeType): { readonly type: string; readonly read: string } {
  const call = (method: string) => `this.${method}('${name}')`
  switch (type.kind) {
    case 'string':
    case 'json':
      return { type: 'string', read: call('getStringAttribute') }
    case 'integer':
    case 'number':
      return { type: 'number', read: call('getNumberAttribute') }
    case 'boolean':
      return { type: 'IResolvable', read: call('getBooleanAttribute') }
    case 'list':
    case 'set':
      return type.of.kind === 'string'
        ? { type: 'string[]', read: call('getListAttribute') }
        : { type: 'IResolvable', read: call('interpolationForAttribute') }
    case 'map':
    case 'object':
      return { type: 'IResolvable', read: call('interpolationForAttribute') }
  }
}

export interface Interface {
  readonly name: string
  /** Whether it has this name in all resources, and so belongs to no single one. */
  readonly shared: boolean
  readonly text: string
}

/** The interfaces of all objects in a tree of inputs, inner ones first. */
export function interfacesOf(attributes: Attributes, place: AttributePlace): readonly Interface[] {
  return Object.entries(attributes).flatMap(([name, { type }]) => interfacesIn(type, [...place, name]))
}

function interfacesIn(type: AttributeType, place: AttributePlace): readonly Interface[] {
  const object = innermost(type)
  if (object.kind !== 'object') return []
  const name = interfaceName(object, place)
  const own = {
    name,
    shared: object.name !== undefined,
    text: `export interface ${name} {\n${members(object.attributes, object.name === undefined ? place : [object.name])}}\n`,
  }
  const inner = interfacesOf(object.attributes, object.name === undefined ? place : [object.name])
  // what is inside a shared one is named after it, wherever that one is
  return [...inner.map((one) => ({ ...one, shared: one.shared || own.shared })), own]
}

/** The members of an interface of inputs, documented. */
export const members = (attributes: Attributes, place: AttributePlace): string =>
  Object.entries(attributes)
    .map(([name, attribute]) => {
      const type = inputType(attribute.type, [...place, name])
      const isRequired = attribute.presence === 'required'
      const declared = isRequired ? `: ${type}` : `?: ${type} | undefined`
      return `${comment(describe(attribute), '  ')}  readonly ${camelName(name)}${declared}\n`
    })
    .join('')

function describe({ description, type, default: value, replace, writeOnly }: Attribute): string {
  const said = [
    ...(type.kind === 'json' ? ['Any value, or a text of JSON.'] : []),
    ...(type.kind === 'string' && type.choices
      ? [`One of ${type.choices.map((one) => `\`${one}\``).join(', ')}.`]
      : []),
    ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`]),
    ...(replace ? ['A change replaces.'] : []),
    ...(writeOnly ? ['Stored nowhere.'] : []),
  ]
  return [description, ...said].join(' ')
}

export const comment = (text: string, indent = ''): string =>
  `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', `\n${indent} * `)} */\n`

/** The shapes of inputs, as to-terraform.ts wants them. */
export function shapesOf(attributes: Attributes, indent = ''): string {
  const deeper = `${indent}  `
  const lines = Object.entries(attributes).map(
    ([name, { type }]) => `${deeper}${camelName(name)}: ['${name}', ${shapeOf(type, deeper)}],\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function shapeOf(type: AttributeType, indent: string): string {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return "'plain'"
    case 'json':
      return "'json'"
    case 'list':
    case 'set':
    case 'map': {
      const inner = shapeOf(type.of, indent)
      return inner === "'plain'" ? inner : `{ each: ${inner} }`
    }
    case 'object':
      return `{ object: ${shapesOf(type.attributes, indent)} }`
  }
}
