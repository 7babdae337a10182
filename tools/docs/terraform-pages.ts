import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadReferencePages, type ReferencePage } from '../../provider/src/terraform/index.ts'

export const TERRAFORM_PAGES = fileURLToPath(new URL('../../docs/terraform', import.meta.url))

/** Configurations, one for each type, that the pages quote and the tests apply: docs/terraform/examples/TYPE.tf. */
export const exampleFile = (typeName: string) => join(TERRAFORM_PAGES, 'examples', `${typeName}.tf`)

export const terraformPages = (): Promise<readonly ReferencePage[]> =>
  loadReferencePages((typeName) => readFileSync(exampleFile(typeName), 'utf8'))
