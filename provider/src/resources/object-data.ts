import type { Attribute, Attributes } from './attribute.ts'
import { attributesOf, type InputDeclaration } from './attributes-of.ts'
import { catalogue, records } from './catalogue.ts'
import type { RecordKind } from './define-record.ts'
import type { ResourceKind } from './define-resource.ts'

type AnyKind = ResourceKind | RecordKind

/** A data source that reads one object: its identity goes in, what its resource says of it comes out. */
export interface ObjectData {
  readonly kind: AnyKind
  readonly name: string
  readonly description: string
  readonly inputs: Attributes
  readonly outputs: Attributes
}

export const showSecrets: InputDeclaration = {
  description: 'Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`.',
  type: 'boolean',
  optional: true,
}

const [id, secrets] = [
  attributesOf({ id: { description: 'Its identity, by which it is imported.', type: 'string' } }),
  attributesOf({ show_secrets: showSecrets }),
]

/** Nothing that is read is ever replaced. */
const readOnly = (entries: readonly (readonly [string, Attribute])[]): Attributes =>
  Object.fromEntries(entries.map(([name, attribute]) => [name, { ...attribute, replace: false }]))

function objectDataOf(kind: AnyKind): ObjectData {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  const given = Object.entries(kind.attributes).filter(([name]) => identifying.has(name))
  // not what only the resource has: consent, write-only values, and what requests a reload of another server
  const read = kind.fields.flatMap(({ name, attribute, at }) =>
    at === null || attribute.writeOnly || identifying.has(name) ? [] : [[name, attribute] as const],
  )
  const isSecret = /"sensitive":true/.test(JSON.stringify(kind.attributes))
  return {
    kind,
    name: kind.name,
    description: `Reads one object that is there, even if another client created it. ${kind.description}`,
    inputs: { ...('store' in kind ? id : readOnly(given)), ...(isSecret && secrets) },
    outputs: { ...('store' in kind ? {} : id), ...readOnly(read) },
  }
}

/** One for each kind of resource. */
export const objectData: readonly ObjectData[] = [...catalogue, ...records].map(objectDataOf)
