import {
  type Attributes,
  type AttributeType,
  innermost,
  mapObjects,
  type Path,
  typeInside,
  type Value,
  type Values,
} from '../../resources/index.ts'
import { formerName, pulumiName, snakeName } from '../names.ts'

export interface Named {
  /** By the names of the declaration; every attribute is there, also in objects, null where it is not set. */
  readonly values: Values
  /** Paths of properties that no attribute has the name of. */
  readonly strangers: readonly Path[]
}

/** Pulumi's properties as values of attributes. Keys of maps and of JSON are the user's own and unchanged. */
export function readNames(attributes: Attributes, properties: Values): Named {
  const strangers: Path[] = []
  const note = (path: Path) => {
    strangers.push(path)
    return null
  }
  return { values: readObject(attributes, properties, [], note), strangers }
}

/** The same of properties that were stored when attributes had other names: these remain, in snake_case. */
export const readFormerNames = (attributes: Attributes, properties: Values): Values =>
  readObject(attributes, properties, [], (_, property) => formerName(property))

/** Called for a property that no attribute has the name of; returns the name under which it is read; null: it is not. */
type Stranger = (path: Path, property: string) => string | null

function readObject(attributes: Attributes, properties: Values, path: Path, stranger: Stranger): Values {
  const values: { [name: string]: Value } = {}
  for (const name of Object.keys(attributes)) values[name] = null
  for (const [property, value] of Object.entries(properties)) {
    if (path.length === 0 && property.startsWith('__')) continue // what Pulumi keeps for itself
    const name = snakeName(attributes, property)
    const type = name === undefined ? undefined : attributes[name]?.type
    if (name === undefined || type === undefined) {
      const former = stranger([...path, property], property)
      if (former !== null) values[former] = value
    } else if (!hasNames(type)) values[name] = value
    else {
      const read = (of: Attributes, object: Values, at: Path) => readObject(of, object, at, stranger)
      values[name] = mapObjects(type, value, read, [...path, property])
    }
  }
  return values
}

/** Returns values of attributes as Pulumi's properties, without those that are not set or write-only. */
export function writeNames(attributes: Attributes, values: Values): Values {
  const properties: { [name: string]: Value } = {}
  for (const [name, { type, writeOnly }] of Object.entries(attributes)) {
    const value = writeOnly ? null : (values[name] ?? null)
    if (value !== null) properties[pulumiName(name)] = hasNames(type) ? mapObjects(type, value, writeNames) : value
  }
  return properties
}

/** Whether there are attributes in it, which have names of their own. */
const hasNames = (type: AttributeType): boolean => innermost(type).kind === 'object'

/** A path of the declaration as Pulumi writes it: `columnConfig["first name"].customName`. */
export function propertyPath(attributes: Attributes, path: Path): string {
  let type: AttributeType | undefined = { kind: 'object', attributes }
  let text = ''
  for (const step of path) {
    const name: string | number = type?.kind === 'object' && typeof step === 'string' ? pulumiName(step) : step
    text += typeof name === 'number' ? `[${name}]` : isPlain(name) ? `.${name}` : `[${JSON.stringify(name)}]`
    type = type && typeInside(type, step)
  }
  return text.replace(/^\./, '')
}

const isPlain = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)
