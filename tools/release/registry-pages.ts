/** The pages of the provider as registries of Terraform lay them out. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ReferencePage } from '../../provider/src/terraform/index.ts'

/** Pages of docs/ for authors of configurations, and their names in the registry's list. */
const guides: Readonly<Record<string, string>> = {
  terraform: 'Getting started',
  adopt: 'Adopting an engine that is in use',
  drift: 'Drift',
  'dry-run': 'Previews',
  cdk: 'CDK for Terraform',
}

/** Texts by path: `docs/index.md`, `docs/resources/table.md`, `docs/data-sources/metadata.md`, `docs/guides/drift.md`. */
export function registryPages(pages: readonly ReferencePage[]): ReadonlyMap<string, string> {
  const paths = new Map(pages.map((page) => [page.file, pathOf(page)]))
  const files = new Map<string, string>()
  for (const page of pages)
    files.set(
      `docs/${pathOf(page)}`,
      `${frontMatter(titleOf(page), page.description)}${linked(page.text, pathOf(page), paths)}`,
    )
  for (const [name, title] of Object.entries(guides)) {
    const text = readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), 'utf8')
    const path = `guides/${name}.md`
    files.set(`docs/${path}`, `${frontMatter(title, `Guide: ${title}.`)}${linked(text, path, paths)}`)
  }
  return files
}

function pathOf({ kind, name }: ReferencePage): string {
  switch (kind) {
    case 'provider':
      return 'index.md'
    case 'resource':
      return `resources/${name}.md`
    case 'data-source':
      return `data-sources/${name}.md`
  }
}

const titleOf = ({ kind, name }: ReferencePage): string => (kind === 'provider' ? 'Provider: svc' : `svc: svc_${name}`)

/** Texts as YAML, which accepts JSON's. */
const frontMatter = (title: string, description: string): string =>
  `---\npage_title: ${JSON.stringify(title)}\nsubcategory: ""\ndescription: ${JSON.stringify(description)}\n---\n\n`

/** Links between the pages follow them; those to other pages of docs/ have no place there and become plain text. */
function linked(text: string, from: string, paths: ReadonlyMap<string, string>): string {
  const up = from.includes('/') ? '../' : ''
  return text.replaceAll(
    /\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g,
    (_, shown: string, target: string, anchor = '') => {
      const file = target.split('/').at(-1) ?? ''
      const guide = file.replace(/\.md$/, '')
      const path = paths.get(file) ?? (Object.hasOwn(guides, guide) && !target.includes('..') ? `guides/${file}` : null)
      return path === null ? shown : `[${shown}](${up}${path}${anchor})`
    },
  )
}
