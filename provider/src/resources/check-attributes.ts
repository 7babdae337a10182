import type { Attribute, Attributes, AttributeType } from './attribute.ts'

/** Names that mean something else to a tool: at the top of a resource (Terraform, Pulumi) or anywhere (Pulumi). */
const reservedAtTop: ReadonlySet<string> = new Set([
  'id',
  'urn',
  'count',
  'for_each',
  'provider',
  'depends_on',
  'lifecycle',
  'connection',
  'provisioner',
  'timeouts',
])
const reserved: ReadonlySet<string> = new Set(['pulumi'])

/** What tools could not show or would misread in a tree of attributes; a line each. */
export function checkAttributes(attributes: Attributes, at: readonly string[] = []): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const path = [...at, name]
    return [...problemsOf(name, attribute, at.length === 0), ...problemsBelow(attribute.type, path)].map((problem) =>
      problem.includes(': ') ? problem : `${path.join('.')}: ${problem}`,
    )
  })
}

function problemsOf(name: string, attribute: Attribute, top: boolean): readonly string[] {
  const { description, presence, replace, writeOnly } = attribute
  const problems: string[] = []
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) problems.push('its name is not in snake_case')
  if (reserved.has(name) || (top && reservedAtTop.has(name))) problems.push('its name is reserved')
  if (description === '') problems.push('it has no description')
  if (writeOnly && (replace || attribute.default !== undefined || presence === 'required'))
    problems.push('what is written only can neither replace nor have a default nor be required')
  return problems
}

function problemsBelow(type: AttributeType, path: readonly string[]): readonly string[] {
  if (type.kind === 'object') return [...checkAttributes(type.attributes, path), ...writeOnlyBelow(type.attributes)]
  if (type.kind === 'set' && type.of.kind !== 'string')
    return ['a set has texts only, as nothing else has a path in it']
  return 'of' in type ? problemsBelow(type.of, path) : []
}

const writeOnlyBelow = (attributes: Attributes): readonly string[] =>
  Object.values(attributes).some(({ writeOnly }) => writeOnly) ? ['only what stands at the top is written only'] : []
