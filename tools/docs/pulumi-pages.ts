import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FunctionSpec, PackageSpec, Properties, ResourceSpec, TypeSpec } from '../../provider/src/pulumi/index.ts'
import { SCHEMA } from '../sdk/sources.ts'

export const PULUMI_PAGES = fileURLToPath(new URL('../../docs/pulumi', import.meta.url))

const NOTICE = '<!-- Made from sdk/schema.json by `npm run docs`: do not edit. -->'

/** One page for the provider, for each resource with the function that reads it, and for each other function. */
export function pulumiPages(): readonly { readonly file: string; readonly text: string }[] {
  const schema: PackageSpec = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const resources = Object.entries(schema.resources)
  const reading = (token: string) => token.replace(/:(\w+)$/, ':get$1')
  const owned = new Set(resources.map(([token]) => reading(token)))
  const others = Object.entries(schema.functions).filter(([token]) => !owned.has(token))
  const pages: readonly (readonly [name: string, parts: readonly string[]])[] = [
    ...resources.map(([token, spec]) => {
      const read = schema.functions[reading(token)]
      const parts = read ? functionParts(reading(token), read, schema, '## ') : []
      return [nameOf(token), [...resourceParts(token, spec, schema), ...parts]] as const
    }),
    ...others.map(([token, spec]) => [nameOf(token), functionParts(token, spec, schema, '# ')] as const),
  ]
  const list = pages.map(([name]) => `- [\`${name}\`](${name}.md)`).join('\n')
  const provider = [
    '# Provider `svc`',
    plain(schema.provider.description),
    section('Settings', propertyList(schema.provider.inputProperties, [], schema)),
    section('Resources and functions', list),
  ]
  return [['provider', provider] as const, ...pages].map(([name, parts]) => ({
    file: `${name}.md`,
    text: `${[NOTICE, ...parts.filter((part) => part !== '')].join('\n\n')}\n`,
  }))
}

const nameOf = (token: string): string => token.replace(/^.*:/, '')

function resourceParts(token: string, spec: ResourceSpec, schema: PackageSpec): readonly string[] {
  const computed = Object.entries(spec.properties).filter(([name]) => !Object.hasOwn(spec.inputProperties, name))
  return [
    `# Resource \`${nameOf(token)}\``,
    plain(spec.description),
    section('Inputs', propertyList(spec.inputProperties, spec.requiredInputs, schema)),
    section('Outputs', propertyList(Object.fromEntries(computed), [], schema)),
  ]
}

function functionParts(token: string, spec: FunctionSpec, schema: PackageSpec, level: string): readonly string[] {
  const below = `${level.trim()}# `
  return [
    `${level}Function \`${nameOf(token)}\``,
    plain(spec.description).replaceAll(/^## /gm, below),
    section('Arguments', propertyList(spec.inputs.properties, spec.inputs.required, schema), below),
    section('Answer', propertyList(spec.outputs.properties, [], schema), below),
  ]
}

/** Without the marks by which Pulumi's registry splits examples. */
const plain = (description: string): string =>
  description
    .replaceAll(/\{\{% \/?examples? %\}\}\n*/g, '')
    .replaceAll(/^\t+/gm, (tabs) => '    '.repeat(tabs.length))
    .trim()

const section = (title: string, text: string, level = '## '): string =>
  text === '' ? '' : `${level}${title}\n\n${text}`

function propertyList(
  properties: Properties,
  required: readonly string[],
  schema: PackageSpec,
  within: readonly string[] = [],
): string {
  return Object.entries(properties)
    .map(([name, spec]) => {
      const { willReplaceOnChanges: moves, secret, description } = spec
      const notes = [
        typeText(spec, schema),
        ...(required.includes(name) ? ['required'] : []),
        ...(moves ? ['a change replaces it'] : []),
        ...(secret ? ['secret'] : []),
      ]
      const line = `${'  '.repeat(within.length)}- \`${name}\` (${notes.join(', ')}): ${description ?? ''}`.trimEnd()
      const nested = nestedIn(spec)
      const type = nested === undefined || within.includes(nested) ? undefined : schema.types[nested]
      if (!type || !('properties' in type)) return line
      return `${line}\n${propertyList(type.properties, type.required, schema, [...within, nested ?? ''])}`
    })
    .join('\n')
}

/** The named type that a property consists of, itself or each of its elements. */
const nestedIn = ({ $ref, items, additionalProperties }: TypeSpec): string | undefined =>
  $ref?.startsWith('#/types/')
    ? $ref.slice('#/types/'.length)
    : items
      ? nestedIn(items)
      : additionalProperties && nestedIn(additionalProperties)

function typeText({ type, $ref, items, additionalProperties }: TypeSpec, schema: PackageSpec): string {
  if ($ref !== undefined) {
    const named = schema.types[$ref.slice('#/types/'.length)]
    if (named && 'enum' in named) return named.enum.map(({ value }) => `\`${value}\``).join(' or ')
    return named ? 'object' : 'JSON'
  }
  if (items) return `list of ${typeText(items, schema)}`
  if (additionalProperties) return `map of ${typeText(additionalProperties, schema)}`
  return type ?? 'JSON'
}
