import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadPulumiSchema } from '../../provider/src/pulumi/index.ts'

const inSdk = (name: string) => fileURLToPath(new URL(`../../sdk/${name}`, import.meta.url))

/** The schema of the package, from which every SDK is made. */
export const SCHEMA = inSdk('schema.json')

/** The TypeScript SDK, as generated. */
export const SDK_SOURCES = inSdk('nodejs')

/** What SCHEMA has to hold. */
export const loadSchemaText = async (): Promise<string> => `${JSON.stringify(await loadPulumiSchema(), null, 2)}\n`

export const writeSchema = async (): Promise<void> => writeFileSync(SCHEMA, await loadSchemaText())
