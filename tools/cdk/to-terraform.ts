/**
 * How constructs pass their inputs to Terraform. A part of both packages of constructs, with the library's name put in.
 */
import { Fn, type TerraformMetaArguments, Token, Tokenization } from 'cdktf'

/** What is done with a value: as it is, as the text of JSON, by its own names, or with each one in a list or map. */
export type Shape = 'plain' | 'json' | { readonly object: Inputs } | { readonly each: Shape }

/** Of each input its name in Terraform and its shape. */
export interface Inputs {
  readonly [input: string]: readonly [name: string, shape: Shape]
}

/** The inputs that are set, by their names in Terraform. */
export function toTerraform(inputs: Inputs, given: object): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { ...given }
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([input, [name, shape]]) =>
      values[input] === undefined || values[input] === null ? [] : [[name, shaped(shape, values[input])]],
    ),
  )
}

/** The same as a synthesis to HCL wants it. */
export const toHcl = (inputs: Inputs, given: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(toTerraform(inputs, given)).map(([name, value]) => [
      name,
      { value, isBlock: false, type: 'any', storageClassType: 'any' },
    ]),
  )

function shaped(shape: Shape, value: unknown): unknown {
  if (shape === 'plain' || Tokenization.isResolvable(value)) return value
  if (shape === 'json') return jsonText(value)
  if ('object' in shape) return typeof value === 'object' && value !== null ? named(shape.object, value) : value
  if (Array.isArray(value)) return Token.isUnresolved(value) ? value : value.map((item) => shaped(shape.each, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shaped(shape.each, item)]))
}

function named(inputs: Inputs, value: object): unknown {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(inputs, key))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected only ${Object.keys(inputs).join(', ')}`)
  return toTerraform(inputs, value)
}

/** A text is taken to be JSON already; in other values nothing but outputs of resources is a template. */
function jsonText(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (hasOutput(value)) return Fn.jsonencode(value)
  return JSON.stringify(value)
    .replace(/\$\{(?!TfToken\[)/g, '$$$${')
    .replace(/%\{/g, '%%{')
}

/** Whether an output stands in it that is no text: texts may stand inside a text. */
function hasOutput(value: unknown): boolean {
  if (typeof value === 'string') return false
  if (Token.isUnresolved(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasOutput)
}

/** What of a configuration is Terraform's own. */
export function metaArguments({
  dependsOn,
  count,
  provider,
  lifecycle,
  forEach,
  provisioners,
  connection,
}: TerraformMetaArguments): TerraformMetaArguments {
  return {
    ...(dependsOn && { dependsOn }),
    ...(count !== undefined && { count }),
    ...(provider && { provider }),
    ...(lifecycle && { lifecycle }),
    ...(forEach && { forEach }),
    ...(provisioners && { provisioners }),
    ...(connection && { connection }),
  }
}
