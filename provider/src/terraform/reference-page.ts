import type { DataDeclaration, KindDeclaration, ProviderDeclaration } from '../core/index.ts'
import { type Attribute, type Attributes, type AttributeType, innermost } from '../resources/index.ts'
import { spelled } from './spelled.ts'
import { timeoutAttributes } from './timeouts.ts'
import { PROVIDER_NAME, typeNameOf } from './types.ts'

export interface ReferencePage {
  readonly kind: 'provider' | 'resource' | 'data-source'
  /** Without the provider's name: `table`. */
  readonly name: string
  readonly description: string
  /** `svc_table.md` */
  readonly file: string
  /** Markdown. */
  readonly text: string
}

/** A configuration that shows the type of this name; the pages quote it. */
export type ExampleOf = (typeName: string) => string

const NOTICE = '<!-- Made from the declarations by `npm run docs`: do not edit. -->'

/** One page for the provider, for each kind and each data source. */
export function referencePages(declaration: ProviderDeclaration, exampleOf: ExampleOf): readonly ReferencePage[] {
  return [
    providerPage(declaration, exampleOf),
    ...declaration.kinds.map((kind) => resourcePage(kind, exampleOf)),
    ...declaration.data.map((data) => dataPage(data, exampleOf)),
  ]
}

function providerPage({ config, kinds, data }: ProviderDeclaration, exampleOf: ExampleOf): ReferencePage {
  const title = `Provider \`${PROVIDER_NAME}\``
  const listed = (names: readonly string[], prefix = '') =>
    names.map((name) => `- [\`${typeNameOf(name)}\`](${prefix}${typeNameOf(name)}.md)`).join('\n')
  const description = 'How the engine is reached, and what a plan checks.'
  return page({ kind: 'provider', name: PROVIDER_NAME, file: 'provider.md', title, description }, [
    example(exampleOf(PROVIDER_NAME)),
    section('Attributes', attributeList(config)),
    section('Resources', listed(kinds.map(({ name }) => name))),
    section(
      'Data sources',
      listed(
        data.map(({ name }) => name),
        'data_',
      ),
    ),
  ])
}

function resourcePage(
  { name, description, attributes, importId }: KindDeclaration,
  exampleOf: ExampleOf,
): ReferencePage {
  const typeName = typeNameOf(name)
  const withTimeouts = { ...attributes, ...timeoutAttributes }
  const text = exampleOf(typeName)
  const label = new RegExp(`^resource "${typeName}" "([^"]+)"`, 'm').exec(text)?.[1] ?? name
  const file = `${typeName}.md`
  return page({ kind: 'resource', name, file, title: `Resource \`${typeName}\``, description }, [
    example(text),
    section('Attributes', attributeList(inputs(withTimeouts))),
    section('Computed', attributeList(computed(withTimeouts))),
    section(
      'Import',
      [
        `By \`${importId.format}\`; a \`/\` or \`%\` inside a name is percent-encoded.`,
        code('sh', `terraform import ${typeName}.${label} ${importId.example}`),
      ].join('\n\n'),
    ),
  ])
}

function dataPage({ name, description, attributes }: DataDeclaration, exampleOf: ExampleOf): ReferencePage {
  const typeName = typeNameOf(name)
  const title = `Data source \`${typeName}\``
  return page({ kind: 'data-source', name, file: `data_${typeName}.md`, title, description }, [
    example(exampleOf(`data.${typeName}`)),
    section('Attributes', attributeList(inputs(attributes))),
    section('Computed', attributeList(computed(attributes))),
  ])
}

const page = (
  { title, ...described }: Omit<ReferencePage, 'text'> & { readonly title: string },
  parts: readonly string[],
): ReferencePage => ({
  ...described,
  description: spelled(described.description),
  text: `${[NOTICE, `# ${title}`, spelled(described.description), ...parts.filter((part) => part !== '')].join('\n\n')}\n`,
})

const section = (title: string, text: string) => (text === '' ? '' : `## ${title}\n\n${text}`)
const code = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
const example = (text: string) => section('Example', code('hcl', text))

const chosen = (attributes: Attributes, isChosen: (attribute: Attribute) => boolean): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, attribute]) => isChosen(attribute)))
const inputs = (attributes: Attributes) => chosen(attributes, ({ presence }) => presence !== 'computed')
const computed = (attributes: Attributes) => chosen(attributes, ({ presence }) => presence === 'computed')

function attributeList(attributes: Attributes, indent = ''): string {
  return Object.entries(attributes)
    .map(([name, attribute]) => {
      const inside = innermost(attribute.type)
      const line = `${indent}- \`${name}\` (${traits(attribute).join(', ')}): ${spelled(attribute.description)}`
      return inside.kind === 'object' ? `${line}\n${attributeList(inside.attributes, `${indent}  `)}` : line
    })
    .join('\n')
}

function traits({ type, presence, default: value, replace, sensitive, writeOnly }: Attribute): readonly string[] {
  return [
    typeText(type),
    ...(presence === 'required' ? ['required'] : []),
    ...(value === undefined ? [] : [`default \`${JSON.stringify(value)}\``]),
    ...(replace ? ['a change moves it'] : []),
    ...(sensitive ? ['sensitive'] : []),
    ...(writeOnly ? ['write-only'] : []),
  ]
}

/** In the words of Terraform's own type constraints. */
function typeText(type: AttributeType): string {
  switch (type.kind) {
    case 'string':
      return type.choices ? type.choices.map((choice) => `\`${choice}\``).join(' or ') : 'string'
    case 'boolean':
      return 'bool'
    case 'integer':
      return 'number, whole'
    case 'number':
      return 'number'
    case 'json':
      return 'string of JSON'
    case 'list':
    case 'set':
    case 'map':
      return `${type.kind} of ${typeText(type.of)}`
    case 'object':
      return 'object'
  }
}
