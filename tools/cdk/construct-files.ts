import { readFileSync } from 'node:fs'
import { type Attributes, providerDeclaration } from '../../provider/src/core/index.ts'
import { PROVIDER_NAME, providerTypes, version } from '../../provider/src/terraform/index.ts'
import {
  camelName,
  comment,
  type Interface,
  interfacesOf,
  members,
  outputOf,
  pascalName,
  shapesOf,
} from './attribute-types.ts'
import type { Library } from './library.ts'

export interface SourceFile {
  readonly name: string
  readonly text: string
}

const NOTICE = '// Made from the declarations by `npm run cdk`: do not edit.\n\n'

/** The sources of a package of constructs: a class for each kind of resource and data source, and for the provider. */
export function constructFiles(library: Library): readonly SourceFile[] {
  const { resources, dataSources } = providerTypes(providerDeclaration)
  const constructs = [
    providerConstruct(),
    ...[...resources].map(([typeName, { kind, description, attributes }]) =>
      construct({ className: kind, base: 'TerraformResource', typeName, description, attributes }),
    ),
    ...[...dataSources].map(([typeName, { description, attributes }]) =>
      construct({
        className: `Data${pascalName(typeName)}`,
        base: 'TerraformDataSource',
        typeName,
        description,
        attributes,
      }),
    ),
  ]
  const shared = uniqueByName(constructs.flatMap(({ interfaces }) => interfaces.filter((one) => one.shared)))
  const files = constructs.map((one) => ({ name: one.file, text: fileText(one, library) }))
  const types = {
    name: 'types.ts',
    text: `${NOTICE}${importTypes(library, shared)}${shared.map(({ text }) => text).join('\n')}`,
  }
  const runtime = readFileSync(new URL('to-terraform.ts', import.meta.url), 'utf8').replaceAll(
    "'cdktf'",
    `'${library.name}'`,
  )
  const index = {
    name: 'index.ts',
    text: `${NOTICE}${[...files, types].map(({ name }) => `export * from './${name}'\n`).join('')}`,
  }
  return [...files, types, { name: 'to-terraform.ts', text: `${NOTICE}${runtime}` }, index]
}

interface Construct {
  readonly file: string
  readonly interfaces: readonly Interface[]
  /** What it imports from the library, types separately. */
  readonly values: readonly string[]
  readonly types: readonly string[]
  readonly text: string
}

/** Throws Error where two objects of one name differ. */
function uniqueByName(interfaces: readonly Interface[]): readonly Interface[] {
  const byName = new Map<string, Interface>()
  for (const one of interfaces) {
    if ((byName.get(one.name) ?? one).text !== one.text) throw new Error(`two different objects are called ${one.name}`)
    byName.set(one.name, one)
  }
  return [...byName.values()]
}

const inputsIn = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, { presence }]) => presence !== 'computed'))

interface Declared {
  readonly className: string
  readonly base: 'TerraformResource' | 'TerraformDataSource'
  readonly typeName: string
  readonly description: string
  readonly attributes: Attributes
}

function construct({ className, base, typeName, description, attributes }: Declared): Construct {
  const inputs = inputsIn(attributes)
  const outputs = Object.entries(attributes).filter(([name, { writeOnly }]) => !writeOnly && name !== 'timeouts')
  const configIsOptional = Object.values(inputs).every(({ presence }) => presence !== 'required')
  const given = `config: ${className}Config${configIsOptional ? ' = {}' : ''}`
  const getters = outputs.map(([name, attribute]) => {
    const { type, read } = outputOf(name, attribute.type)
    return `${comment(attribute.description, '  ')}  get ${camelName(name)}(): ${type} {\n    return ${read}\n  }\n`
  })
  return {
    file: `${typeName.slice(PROVIDER_NAME.length + 1).replaceAll('_', '-')}${base === 'TerraformDataSource' ? '-data' : ''}.ts`,
    interfaces: interfacesOf(inputs, [className]),
    values: [base],
    types: ['TerraformMetaArguments'],
    text: `${comment(`${description.split('\n')[0]}`)}export interface ${className}Config extends TerraformMetaArguments {
${members(inputs, [className])}}

const inputs: Inputs = ${shapesOf(inputs)}

${comment(`${description}\n\n\`${typeName}\` in Terraform.`)}export class ${className} extends ${base} {
  static readonly tfResourceType = '${typeName}'
  readonly #config: ${className}Config

  constructor(scope: Construct, id: string, ${given}) {
    super(scope, id, {
      terraformResourceType: '${typeName}',
      terraformGeneratorMetadata: { providerName: '${PROVIDER_NAME}', providerVersion: '${version}' },
      ...metaArguments(config),
    })
    this.#config = config
  }

${getters.join('\n')}
${synthesis}}
`,
  }
}

const synthesis = `  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
`

function providerConstruct(): Construct {
  const { config } = providerTypes(providerDeclaration)
  const className = 'SvcProvider'
  return {
    file: 'provider.ts',
    interfaces: interfacesOf(config, [className]),
    values: ['TerraformProvider'],
    types: [],
    text: `export interface ${className}Config {
${members(config, [className])}${comment('For a second provider in addition to the first.', '  ')}  readonly alias?: string | undefined
}

const inputs: Inputs = ${shapesOf(config)}

${comment('The engine whose metadata a stack declares.')}export class ${className} extends TerraformProvider {
  static readonly tfResourceType = '${PROVIDER_NAME}'
  readonly #config: ${className}Config
  #alias: string | undefined

  constructor(scope: Construct, id: string, config: ${className}Config = {}) {
    super(scope, id, {
      terraformResourceType: '${PROVIDER_NAME}',
      terraformProviderSource: 'svc/svc',
      terraformGeneratorMetadata: {
        providerName: '${PROVIDER_NAME}',
        providerVersion: '${version}',
        providerVersionConstraint: '${version}',
      },
    })
    this.#config = config
    this.#alias = config.alias
  }

${comment('What distinguishes it from a first provider.', '  ')}  override get alias(): string | undefined {
    return this.#alias
  }

  override set alias(alias: string | undefined) {
    this.#alias = alias
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...toTerraform(inputs, this.#config), ...(this.alias !== undefined && { alias: this.alias }) }
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    const alias = { value: this.alias, isBlock: false, type: 'simple', storageClassType: 'string' }
    return { ...toHcl(inputs, this.#config), ...(this.alias !== undefined && { alias }) }
  }
}
`,
  }
}

function fileText({ interfaces, values, types, text }: Construct, library: Library): string {
  const own = interfaces.filter((one) => !one.shared)
  const body = [...own.map((one) => `${one.text}\n`), text].join('')
  const used = (name: string) => new RegExp(`\\b${name}\\b`).test(body)
  const names = [...['IResolvable', ...types].filter(used).map((name) => `type ${name}`), ...values]
  const shared = [...new Set(interfaces.filter((one) => one.shared && used(one.name)).map(({ name }) => name))].sort()
  const runtime = ['type Inputs', ...(used('metaArguments') ? ['metaArguments'] : []), 'toHcl', 'toTerraform']
  return `${NOTICE}import { ${names.join(', ')} } from '${library.name}'
import type { Construct } from 'constructs'
import { ${runtime.join(', ')} } from './to-terraform.ts'
${shared.length === 0 ? '' : `import type { ${shared.join(', ')} } from './types.ts'\n`}
${body}`
}

const importTypes = (library: Library, interfaces: readonly Interface[]): string =>
  interfaces.some(({ text }) => text.includes('IResolvable'))
    ? `import type { IResolvable } from '${library.name}'\n\n`
    : ''
