import { type KindDeclaration, type ProviderDeclaration, providerDeclaration, variableOf } from '../../core/index.ts'
import { type Attributes, dataSources } from '../../resources/index.ts'
import { homepage, repository, version } from '../../version.ts'
import { COMPONENT, componentDescription, componentInputs, componentOutputs, componentToken } from '../component.ts'
import { functionToken, PACKAGE_NAME, pulumiAttributes, pulumiName, resourceToken } from '../names.ts'
import { providerOptions } from '../provider-options.ts'
import { type Examples, exampleSection, examples } from './examples.ts'
import { language } from './language.ts'
import { typesIn, typeTable } from './named-types.ts'
import type { FunctionSpec, Properties, ResourceSpec } from './package-spec.ts'
import { pluginDownloadUrl } from './plugin-download.ts'
import { objectSpec, propertySpecs, requiredOf } from './property-spec.ts'

/** The schema.json of the package, from which Pulumi's generators make the SDKs. */
export function pulumiSchema(declaration: ProviderDeclaration = providerDeclaration, shown: Examples = examples) {
  const config = { ...declaration.config, ...providerOptions }
  const settings = withEnvironment(config)
  const kinds = declaration.kinds.map((kind) => ({ ...kind, attributes: pulumiAttributes(kind.attributes) }))
  const functions = dataSources.map(({ name, description, inputs, outputs }) => ({
    token: functionToken(name),
    description,
    inputs,
    outputs,
  }))
  return {
    name: PACKAGE_NAME,
    displayName: 'SVC',
    version,
    description: 'The metadata of a GraphQL engine, each object of it a resource',
    keywords: ['pulumi', 'graphql', 'postgresql', 'category/database', 'kind/native'],
    publisher: 'SVC',
    homepage,
    repository,
    pluginDownloadURL: pluginDownloadUrl(repository),
    license: 'Apache-2.0',
    meta: { moduleFormat: '(.*)' },
    config: { variables: settings },
    provider: {
      description: describe('How the engine is reached, and what a preview checks.', exampleSection(shown.provider)),
      inputProperties: settings,
      requiredInputs: [],
      properties: {},
      required: [],
    },
    resources: {
      ...Object.fromEntries(kinds.map((kind) => [resourceToken(kind.kind), resourceSpec(kind, shown)])),
      [componentToken]: componentSpec(shown),
    },
    functions: Object.fromEntries(functions.map((one) => [one.token, functionSpec(one, shown)])),
    types: typeTable([
      ...typesIn(config, PROVIDER),
      ...kinds.flatMap(({ kind, attributes }) => typesIn(attributes, kind)),
      ...typesIn(componentInputs, COMPONENT),
      ...functions.flatMap((one) => typesIn({ ...one.inputs, ...one.outputs }, ownerOf(one))),
    ]),
    language,
  }
}

export type PackageSpec = ReturnType<typeof pulumiSchema>

const PROVIDER = 'Provider'

/**
 * Settings with the variables that programs take them from. What a program reads from one is stored in the state: what
 * is sensitive is therefore read only by the plugin. So is a choice, for which the generator for Go writes code that
 * does not compile.
 */
function withEnvironment(config: Attributes): Properties {
  const variables = new Map(
    Object.entries(config).flatMap(([name, { sensitive, type }]) =>
      sensitive || (type.kind === 'string' && type.choices) ? [] : [[pulumiName(name), variableOf(name)]],
    ),
  )
  return Object.fromEntries(
    Object.entries(propertySpecs(config, PROVIDER)).map(([property, spec]) => {
      const variable = variables.get(property)
      return [property, variable === undefined ? spec : { ...spec, defaultInfo: { environment: [variable] } }]
    }),
  )
}

const describe = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n\n')

function resourceSpec({ kind, description, attributes, importId }: KindDeclaration, shown: Examples): ResourceSpec {
  const inputs = Object.fromEntries(Object.entries(attributes).filter(([, { presence }]) => presence !== 'computed'))
  const stored = Object.fromEntries(Object.entries(attributes).filter(([, { writeOnly }]) => !writeOnly))
  return {
    description: describe(description, exampleSection(shown[kind]), importSection(kind, importId)),
    inputProperties: propertySpecs(inputs, kind),
    requiredInputs: requiredOf(inputs),
    properties: propertySpecs(stored, kind, attributes),
    required: alwaysThere(stored),
  }
}

const componentSpec = (shown: Examples): ResourceSpec => ({
  isComponent: true,
  description: describe(componentDescription, exampleSection(shown[COMPONENT])),
  inputProperties: propertySpecs(componentInputs, COMPONENT),
  requiredInputs: requiredOf(componentInputs),
  properties: propertySpecs(componentOutputs, COMPONENT),
  required: alwaysThere(componentOutputs),
})

/** The provider fills in defaults, hence what has one is always there. */
const alwaysThere = (attributes: Attributes): readonly string[] =>
  Object.entries(attributes).flatMap(([name, { presence, default: initial, providerDefault }]) =>
    presence === 'optional' && initial === undefined && providerDefault === undefined ? [] : [pulumiName(name)],
  )

const importSection = (kind: string, { format, example }: KindDeclaration['importId']): string => `## Import

By \`${format}\`; a \`/\` or \`%\` inside a name is percent-encoded.

\`\`\`sh
pulumi import ${resourceToken(kind)} ${example.split('/').at(-1)} ${example}
\`\`\``

interface DataFunction {
  readonly token: string
  readonly description: string
  readonly inputs: Attributes
  readonly outputs: Attributes
}

const functionSpec = (data: DataFunction, shown: Examples): FunctionSpec => ({
  description: describe(data.description, exampleSection(shown[data.token.replace(/^.*:/, '')])),
  inputs: objectSpec(data.inputs, ownerOf(data)),
  outputs: objectSpec(data.outputs, ownerOf(data), { ...data.inputs, ...data.outputs }),
})

/** `svc:index:getMetadata` -> `GetMetadata` */
const ownerOf = ({ token }: DataFunction): string =>
  token.replace(/^.*:(.)/, (_, letter: string) => letter.toUpperCase())
