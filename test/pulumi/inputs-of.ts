import { pulumiName } from '../../provider/src/pulumi/index.ts'
import type { Attributes, AttributeType } from '../../provider/src/resources/index.ts'

/** A configuration of Terraform as the properties of a program. */
export const inputsOf = (attributes: Attributes, config: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [pulumiName(name), inputOf(attributes[name]?.type, value)]),
  )

function inputOf(type: AttributeType | undefined, value: unknown): unknown {
  if (value === null || type === undefined) return value
  if (type.kind === 'json') return typeof value === 'string' ? JSON.parse(value) : value
  if ((type.kind === 'list' || type.kind === 'set') && Array.isArray(value))
    return value.map((one) => inputOf(type.of, one))
  // an output of another resource
  if (typeof value === 'string') return value
  if (type.kind === 'map')
    return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, inputOf(type.of, one)]))
  if (type.kind === 'object') return inputsOf(type.attributes, value as { readonly [name: string]: unknown })
  return value
}
