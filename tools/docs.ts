/** `npm run docs`: writes the reference pages that are made from declarations: docs/terraform/*.md, docs/reference/arguments.md. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationPages, REFERENCE_PAGES } from './docs/operation-pages.ts'
import { TERRAFORM_PAGES, terraformPages } from './docs/terraform-pages.ts'

mkdirSync(TERRAFORM_PAGES, { recursive: true })
for (const name of readdirSync(TERRAFORM_PAGES)) if (name.endsWith('.md')) rmSync(join(TERRAFORM_PAGES, name))
for (const { file, text } of await terraformPages()) writeFileSync(join(TERRAFORM_PAGES, file), text)
for (const { file, text } of operationPages()) writeFileSync(join(REFERENCE_PAGES, file), text)
