/** `npm run docs`: writes the reference pages that are made from declarations: docs/terraform/*.md, docs/pulumi/*.md, docs/reference/arguments.md. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationPages, REFERENCE_PAGES } from './docs/operation-pages.ts'
import { PULUMI_PAGES, pulumiPages } from './docs/pulumi-pages.ts'
import { TERRAFORM_PAGES, terraformPages } from './docs/terraform-pages.ts'

function replacePages(folder: string, pages: readonly { readonly file: string; readonly text: string }[]): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.md')) rmSync(join(folder, name))
  for (const { file, text } of pages) writeFileSync(join(folder, file), text)
}

replacePages(TERRAFORM_PAGES, await terraformPages())
replacePages(PULUMI_PAGES, pulumiPages())
for (const { file, text } of operationPages()) writeFileSync(join(REFERENCE_PAGES, file), text)
