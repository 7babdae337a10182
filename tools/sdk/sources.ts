import { fileURLToPath } from 'node:url'
import { loadPulumiSchema, type PulumiExamples } from '../../provider/src/pulumi/index.ts'

const here = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const inSdk = (name: string) => fileURLToPath(new URL(`../../sdk/${name}`, import.meta.url))

/** The schema of the package, from which every SDK is made. */
export const SCHEMA = inSdk('schema.json')

/** The TypeScript SDK, as generated. */
export const SDK_SOURCES = inSdk('nodejs')

/** What the registry shows of the package for Python; the package itself is generated when it is built. */
export const PYTHON_PAGE = inSdk('python/README.md')

/** The Go SDK, as generated, and its go.mod. */
export const GO_SOURCES = inSdk('go')

/** What SCHEMA has to contain, with the examples of the catalogue or other ones. */
export const loadSchemaText = async (examples?: PulumiExamples): Promise<string> =>
  `${JSON.stringify(await loadPulumiSchema(examples), null, 2)}\n`

/** Programs in YAML, one for each resource, each function and the provider. */
export const EXAMPLES = here('docs/pulumi/examples')

/** The same in every language, from which the schema reads them. */
export const CONVERTED_EXAMPLES = here('provider/src/pulumi/schema/examples.json')
