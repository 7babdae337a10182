import './attribute-meta.ts'
import { z } from 'zod'
import { catalogue, records } from './catalogue.ts'
import { type InputShape, metaOf } from './compile-attribute.ts'
import type { RecordKind } from './define-record.ts'
import type { ResourceKind } from './define-resource.ts'
import { FORCE_DESTROY } from './force-destroy.ts'

type AnyKind = ResourceKind | RecordKind

/** A data source that reads one object: its identity goes in, what its resource says of it comes out. */
export interface ObjectData {
  readonly kind: AnyKind
  readonly name: string
  readonly description: string
  readonly inputs: InputShape
  readonly outputs: InputShape
}

const showSecrets = z.boolean().optional().meta({
  description: 'Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`.',
})

const id = z.string().meta({ description: 'Its identity, by which it is imported.' })

/** Inputs that are of the resource alone: consent, what is written only, and what asks for a look outside. */
const isOutput = (kind: AnyKind, name: string): boolean => {
  const schema = kind.inputs[name]
  const { writeOnly = false, at = name } = schema ? metaOf(schema) : {}
  return !writeOnly && at !== null && name !== FORCE_DESTROY
}

function objectDataOf(kind: AnyKind): ObjectData {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  const entries = Object.entries(kind.inputs)
  const given = entries.filter(([name]) => identifying.has(name))
  const read = entries.filter(([name]) => !identifying.has(name) && isOutput(kind, name))
  const isSecret = /"sensitive":true/.test(JSON.stringify(kind.attributes))
  return {
    kind,
    name: kind.name,
    description: `Reads one object that is there, whoever made it. ${kind.description}`,
    inputs: {
      ...('store' in kind ? { id } : Object.fromEntries(given)),
      ...(isSecret && { show_secrets: showSecrets }),
    },
    outputs: { ...('store' in kind ? {} : { id }), ...Object.fromEntries(read) },
  }
}

/** One for each kind of resource. */
export const objectData: readonly ObjectData[] = [...catalogue, ...records].map(objectDataOf)
