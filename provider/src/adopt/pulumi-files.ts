import type { Json, JsonObject } from '@svc/schema'
import { printYaml } from '../directory/index.ts'
import { PACKAGE_NAME, pulumiName, resourceToken } from '../pulumi/index.ts'
import { forDoubles } from '../resources/index.ts'
import { version } from '../terraform/index.ts'
import type { AdoptedResource, Adoption } from './adopted-resource.ts'
import { bracketed } from './bracketed.ts'
import { type Expression, expressionOf, outputsIn, type Secret, secretsIn } from './expression.ts'
import type { ProjectFile } from './project-file.ts'
import { pulumiNames } from './pulumi-names.ts'
import type { ProjectNames } from './readable-names.ts'
import { quoted, typescriptOf } from './typescript.ts'

/**
 * A program, and the file by which `pulumi import` takes its resources that are there already into a stack: all, where nothing
 * else is said. The first preview after that changes nothing of them.
 */
export function pulumiFiles(
  { resources }: Adoption,
  language: 'typescript' | 'yaml',
  project: string,
  isThere: (resource: AdoptedResource) => boolean = () => true,
): readonly ProjectFile[] {
  const names = pulumiNames(resources)
  const there = resources.filter(isThere)
  const imports =
    there.length === 0
      ? []
      : [{ name: 'import.json', text: json({ resources: there.map((one) => imported(one, names)) }) }]
  const own = { name: 'package.json', text: json(manifest(language)) }
  switch (language) {
    case 'yaml':
      return [
        { name: 'Pulumi.yaml', text: printYaml({ ...settings(project, 'yaml'), ...yamlProgram(resources, names) }) },
        own,
        ...imports,
      ]
    case 'typescript':
      return [
        { name: 'Pulumi.yaml', text: printYaml(settings(project, 'nodejs')) },
        { name: 'index.ts', text: typescriptProgram(resources, names) },
        own,
        { name: 'tsconfig.json', text: json(compilerSettings) },
        ...imports,
      ]
  }
}

/** Every preview reads the live engine first. */
const settings = (project: string, runtime: string): JsonObject => ({
  name: projectName(project),
  runtime,
  options: { refresh: 'always' },
  plugins: { providers: [{ name: PACKAGE_NAME, path: `node_modules/${SDK}/plugin` }] },
})

const SDK = '@svc/pulumi'

/** What is installed next to the program: the provider, and of TypeScript what runs it. */
const manifest = (language: 'typescript' | 'yaml'): JsonObject => ({
  private: true,
  ...(language === 'typescript' && { main: 'index.ts' }),
  dependencies: { ...(language === 'typescript' && { '@pulumi/pulumi': '^3.259.0' }), [SDK]: version },
  ...(language === 'typescript' && {
    devDependencies: { '@types/node': '^24.0.0', 'ts-node': '^10.9.2', typescript: '^5.9.3' },
  }),
})

const compilerSettings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  },
  files: ['index.ts'],
}

const json = (value: Json) => `${JSON.stringify(value, null, 2)}\n`

const imported = ({ kind, address, id }: AdoptedResource, names: ProjectNames) => ({
  type: resourceToken(kind.kind),
  name: names.resource(address),
  id,
})

/** What Pulumi lets a project be called. */
const projectName = (folder: string) => folder.replace(/[^\w.-]+/g, '-').slice(0, 100) || 'adopted'

const secretsOf = (resources: readonly AdoptedResource[]): readonly Secret[] =>
  resources.flatMap(({ inputs }) => secretsIn(inputs))

function typescriptProgram(resources: readonly AdoptedResource[], names: ProjectNames): string {
  const referredTo = new Set(resources.flatMap(({ inputs, after }) => [...outputsIn(inputs), ...after]))
  const declarations = resources.map(({ kind, address, inputs, after }) => {
    const name = names.resource(address)
    const args = typescriptOf({ kind: 'object', entries: inputs }, names)
    const dependsOn = bracketed(
      '[]',
      after.map((other) => () => names.resource(other)),
      '  ',
    )
    const options = after.length === 0 ? '' : `, { dependsOn: ${dependsOn} }`
    const made = `new svc.${kind.kind}(${quoted(name)}, ${args}${options})`
    return referredTo.has(address) ? `const ${name} = ${made}` : made
  })
  const configured = secretsOf(resources).length > 0
  return [
    ...(configured ? ["import * as pulumi from '@pulumi/pulumi'"] : []),
    `import * as svc from '${SDK}'`,
    '',
    ...(configured ? ['const config = new pulumi.Config()', ''] : []),
    ...declarations.map((text) => `${text}\n`),
  ].join('\n')
}

function yamlProgram(resources: readonly AdoptedResource[], names: ProjectNames): JsonObject {
  const secrets = secretsOf(resources)
  return {
    ...(secrets.length > 0 && {
      config: Object.fromEntries(secrets.map((secret) => [names.secret(secret), configOf(secret.shape)])),
    }),
    resources: Object.fromEntries(
      resources.map(({ kind, address, inputs, after }) => [
        names.resource(address),
        {
          type: `${PACKAGE_NAME}:${kind.kind}`,
          properties: yamlOf({ kind: 'object', entries: inputs }, names),
          ...(after.length > 0 && {
            options: { dependsOn: after.map((other) => `\${${names.resource(other)}}`) },
          }),
        },
      ]),
    ),
  }
}

function configOf(shape: Secret['shape']): JsonObject {
  switch (shape) {
    case 'text':
      return { type: 'string', secret: true }
    case 'object':
      return { type: 'object', secret: true }
    case 'list':
      return { type: 'array', items: { type: 'object' }, secret: true }
  }
}

function yamlOf(expression: Expression, names: ProjectNames): Json {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'string' ? plain(expression.value) : (expression.value as Json)
    case 'json':
      return yamlOf(expressionOf(forDoubles(expression.value, expression.isText)), names)
    case 'output':
      return `\${${names.resource(expression.of)}.${pulumiName(expression.attribute)}}`
    case 'secret':
      return `\${${names.secret(expression.secret)}}`
    case 'list':
      return expression.items.map((item) => yamlOf(item, names))
    case 'object':
      return Object.fromEntries(expression.entries.map(([key, value]) => [pulumiName(key), yamlOf(value, names)]))
    case 'map':
      return Object.fromEntries(expression.entries.map(([key, value]) => [plain(key), yamlOf(value, names)]))
  }
}

/** A text in which `$` is a dollar. */
const plain = (text: string) => (/\$[${]/.test(text) ? text.replaceAll('$', '$$$$') : text)
