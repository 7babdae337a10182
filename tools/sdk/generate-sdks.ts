import { spawnSync } from 'node:child_process'
import { generateSdk, isThere } from '../pulumi-cli/programs.ts'
import { SCHEMA } from './sources.ts'

export type SdkLanguage = 'nodejs' | 'python' | 'go'

/** Whether `npm run pulumi-cli` has built the generators. */
export const canGenerate = isThere(generateSdk)

/**
 * Writes the SDKs of sdk/schema.json into folders, by Pulumi's own generators. Throws Error with every diagnostic where
 * the schema does not bind, which is also said of a schema without any language.
 */
export function generateSdks(folders: Readonly<Partial<Record<SdkLanguage, string>>>, schema: string = SCHEMA): void {
  if (!canGenerate) throw new Error(`${generateSdk.file} is not there: \`npm run pulumi-cli\` builds it`)
  const { status, stderr } = spawnSync(generateSdk.file, [schema, ...Object.entries(folders).flat()], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}
