/** `npm run docs`: writes the reference pages of the provider, docs/terraform/*.md, from the declarations. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TERRAFORM_PAGES, terraformPages } from './docs/terraform-pages.ts'

mkdirSync(TERRAFORM_PAGES, { recursive: true })
for (const name of readdirSync(TERRAFORM_PAGES)) if (name.endsWith('.md')) rmSync(join(TERRAFORM_PAGES, name))
for (const { file, text } of await terraformPages()) writeFileSync(join(TERRAFORM_PAGES, file), text)
