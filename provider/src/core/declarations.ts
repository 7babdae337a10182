import {
  type Attribute,
  type Attributes,
  attributesOf,
  type CommonKind,
  catalogue,
  dataSources,
  importFormat,
  importId,
  providerConfig,
  records,
} from '../resources/index.ts'
import type { DataDeclaration, KindDeclaration, ProviderDeclaration } from './provider.ts'

const computed = ({ default: _, ...attribute }: Attribute): Attribute => ({ ...attribute, presence: 'computed' })

const id = (format: string): Attributes =>
  allComputed(
    attributesOf({ id: { type: 'string', description: `Its identity, by which it is imported: \`${format}\`.` } }),
  )

function kindDeclaration(kind: CommonKind): KindDeclaration {
  const format = importFormat(kind)
  return {
    kind: kind.kind,
    name: kind.name,
    description: kind.description,
    version: kind.version,
    attributes: { ...id(format), ...kind.attributes },
    importId: { format, example: importId(kind.example) },
  }
}

/** Made when first requested: most runs read none of them. */
const dataDeclarations = dataSources.map(({ name, description, inputs, outputs }): DataDeclaration => {
  let made: Attributes | undefined
  return {
    name,
    description,
    get attributes() {
      made ??= { ...inputs, ...allComputed(outputs) }
      return made
    },
  }
})

function allComputed(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      computed({ ...attribute, type: typeComputed(attribute.type) }),
    ]),
  )
}

function typeComputed(type: Attribute['type']): Attribute['type'] {
  if (type.kind === 'object') return { ...type, attributes: allComputed(type.attributes) }
  return 'of' in type ? { ...type, of: typeComputed(type.of) } : type
}

/** What every tool's schema and docs are made of. */
export const providerDeclaration: ProviderDeclaration = {
  kinds: [...catalogue, ...records].map(kindDeclaration),
  data: dataDeclarations,
  config: attributesOf(providerConfig),
}
