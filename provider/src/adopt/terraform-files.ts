import { PROVIDER_NAME, typeNameOf, version } from '../terraform/index.ts'
import type { AdoptedResource, Adoption } from './adopted-resource.ts'
import { type Secret, secretsIn } from './expression.ts'
import { attributeLines, hclOf, quoted } from './hcl.ts'
import type { ProjectFile } from './project-file.ts'
import { identifier, namePartsOf, type ProjectNames, secretNames, uniqueNames } from './readable-names.ts'

/**
 * A configuration with an import block for each resource that is there already: all, where nothing else is said. Its first plan
 * imports these and changes nothing of them.
 */
export function terraformFiles(
  { resources }: Adoption,
  isThere: (resource: AdoptedResource) => boolean = () => true,
): readonly ProjectFile[] {
  const imported = resources.filter(isThere)
  const names = namesOf(resources)
  const secrets = resources.flatMap(({ inputs }) => secretsIn(inputs))
  const kinds = [...new Set(resources.map(({ kind }) => kind))]
  return [
    { name: 'terraform.tf', text: settings },
    ...(secrets.length === 0
      ? []
      : [{ name: 'variables.tf', text: secrets.map((one) => variable(one, names)).join('\n') }]),
    ...(imported.length === 0
      ? []
      : [{ name: 'imports.tf', text: imported.map((one) => importBlock(one, names)).join('\n') }]),
    ...kinds.map((kind) => ({
      name: `${kind.name}.tf`,
      text: resources
        .filter((one) => one.kind === kind)
        .map((one) => resourceBlock(one, names))
        .join('\n'),
    })),
  ]
}

function namesOf(resources: readonly AdoptedResource[]): ProjectNames {
  const parts = new Map(resources.map((one) => [one, namePartsOf(one)]))
  const kinds = new Map(Map.groupBy(resources, ({ kind }) => kind))
  const labels = new Map(
    [...kinds.values()].flatMap((ofKind) => [
      ...uniqueNames(
        ofKind,
        (one) => identifier(parts.get(one)?.short ?? []),
        (one) => identifier(parts.get(one)?.whole ?? []),
      ),
    ]),
  )
  const byAddress = new Map(resources.map((one) => [one.address, one]))
  const labelOf = (address: string) => {
    const one = byAddress.get(address)
    return { type: typeNameOf(one?.kind.name ?? ''), label: (one && labels.get(one)) ?? '' }
  }
  const secrets = resources.flatMap(({ inputs }) => secretsIn(inputs))
  return {
    resource: (address) => `${labelOf(address).type}.${labelOf(address).label}`,
    secret: secretNames(
      secrets,
      ({ of, path }) => identifier([labelOf(of).label, ...path]),
      ({ of, path }) => identifier([labelOf(of).type, labelOf(of).label, ...path]),
    ),
  }
}

const settings = `terraform {
  required_version = ">= 1.5"

  required_providers {
    ${PROVIDER_NAME} = {
      source  = "svc/svc"
      version = "${version}"
    }
  }
}
`

const variable = (secret: Secret, names: ProjectNames) => `variable ${quoted(names.secret(secret))} {
${attributeLines(
  [
    ...(secret.shape === 'text' ? [] : [['description', '"As JSON."'] as const]),
    ['type', 'string'],
    ['sensitive', 'true'],
  ],
  '  ',
)}}
`

const importBlock = ({ address, id }: AdoptedResource, names: ProjectNames) =>
  `import {\n  to = ${names.resource(address)}\n  id = ${quoted(id)}\n}\n`

function resourceBlock({ address, inputs, after }: AdoptedResource, names: ProjectNames): string {
  const [type = '', label = ''] = names.resource(address).split('.')
  const entries = inputs.map(([name, value]) => [name, hclOf(value, names, '  ')] as const)
  const dependsOn = after.map(names.resource)
  const line = `[${dependsOn.join(', ')}]`
  const listed = line.length <= 90 ? line : `[\n${dependsOn.map((one) => `    ${one},\n`).join('')}  ]`
  return `resource ${quoted(type)} ${quoted(label)} {\n${attributeLines(
    [...entries, ...(after.length === 0 ? [] : [['depends_on', listed] as const])],
    '  ',
  )}}\n`
}
