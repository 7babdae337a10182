/** What a resource of a stack names, by its declaration. */
import { equalJson, type JsonObject } from '@svc/schema'
import type { Values } from '../../provider/src/core/index.ts'
import { declaredValue, kindNamed, type Reference, type ResourceKind } from '../../provider/src/resources/index.ts'

export interface WalkedResource {
  readonly name: string
  readonly kind: string
  readonly config: Values
}

export interface NamedObject {
  /** The attribute that names it. */
  readonly head: string
  /** The output of the other one that it is. */
  readonly output: string
  readonly leadsTo: (other: WalkedResource) => boolean
}

/** What a resource names, by its declaration. */
export function namesIn({ kind, config }: WalkedResource): readonly NamedObject[] {
  const declared = kindNamed(kind)
  const place = places.flatMap((head) => placeName(kind, config, head))
  const references = declared?.dependsOn?.(config, objectValue(declared, config)) ?? []
  return [...place, ...references.flatMap((reference) => nameOf(reference))]
}

const places = ['source', 'table', 'function', 'logical_model', 'remote_schema', 'action']

export const isPlace = (head: string): boolean => places.includes(head)

/** Attributes that name a table together with its source. */
export const namesSource = (head: string): boolean => head === 'to_source' || head === 'relationships'

function placeName(kind: string, config: Values, head: string): readonly NamedObject[] {
  const isIdentityOf = {
    source: 'Source',
    table: 'Table',
    function: 'Function',
    logical_model: 'LogicalModel',
    remote_schema: 'RemoteSchema',
    action: 'Action',
  }[head]
  const declared = kindNamed(kind)
  if (config[head] === undefined || kind === isIdentityOf || declared?.attributes[head]?.replace !== true) return []
  const output = head === 'table' || head === 'function' ? head : 'name'
  return [{ head, output, leadsTo: (other) => other.kind === isIdentityOf && isSame(other, config, head, output) }]
}

const isSame = (other: WalkedResource, config: Values, head: string, output: string): boolean =>
  equalJson(other.config[output], config[head]) &&
  (output === 'name' && other.kind === 'Source' ? true : other.config.source === config.source)

function nameOf(reference: Reference): readonly NamedObject[] {
  const head = String(reference.attribute[0])
  const within = (other: WalkedResource) => other.config.source === reference.source
  switch (reference.to) {
    case 'table':
      return [
        {
          head,
          output: 'table',
          leadsTo: (other) => other.kind === 'Table' && within(other) && equalJson(other.config.table, reference.table),
        },
      ]
    case 'source':
      return [
        { head, output: 'name', leadsTo: (other) => other.kind === 'Source' && other.config.name === reference.source },
      ]
    case 'custom-type':
      return [
        {
          head,
          output: 'name',
          leadsTo: (other) => other.kind === 'CustomType' && other.config.name === reference.name,
        },
      ]
    case 'in-source':
    case 'top-level': {
      const [key, value] = Object.entries(reference.key)[0] ?? ['', null]
      return [
        {
          head,
          output: key,
          leadsTo: (other) => kindNamed(other.kind)?.type === reference.type && other.config[key] === value,
        },
      ]
    }
    case 'role':
    case 'select-permission':
      return [
        {
          head,
          output: 'role',
          leadsTo: (other) =>
            other.config.role === reference.role &&
            (reference.to === 'role' ? other.kind.endsWith('Permission') : other.kind === 'SelectPermission'),
        },
      ]
    case 'computed-field':
      return [
        {
          head,
          output: 'name',
          leadsTo: (other) => other.kind === 'ComputedField' && other.config.name === reference.name,
        },
      ]
    default:
      return []
  }
}

/** The object's value, from which references are read. */
function objectValue(kind: ResourceKind, config: Values): JsonObject {
  const nulls = Object.fromEntries(kind.fields.map(({ name }) => [name, null]))
  const canonical = kind.canonical(declaredValue(kind, { ...nulls, ...config }, 'text'))
  if (!canonical.ok) throw new Error(`${kind.kind}: ${canonical.message}`)
  return canonical.value
}
