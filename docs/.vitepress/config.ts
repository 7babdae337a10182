/** The site of these pages: `npm run docs:site` builds it into site/, offline, with search. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const docs = join(import.meta.dirname, '..')

/** Its first heading. */
const titleOf = (page: string): string => {
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? []
  return title.replaceAll('`', '')
}

const items = (...pages: readonly string[]) => pages.map((page) => ({ text: titleOf(page), link: `/${page}` }))

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => join(folder, name.slice(0, -'.md'.length)))
    .sort()

/** A title and its pages. */
const groups: readonly (readonly string[])[] = [
  [
    'Start',
    'getting-started',
    'tutorial',
    'console',
    'cli',
    'adopt',
    'drift',
    'dry-run',
    'preview',
    'permission-tests',
    'check',
    'advice',
  ],
  [
    'The API',
    'graphql',
    'mutations',
    'subscriptions',
    'clients',
    'naming',
    'relay',
    'apollo-federation',
    'native-queries',
  ],
  ['Who may', 'authentication', 'access-tokens', 'ownership', 'inherited-roles', 'limits', 'stored-queries'],
  ['Calling out', 'actions', 'event-triggers', 'schedules', 'transforms', 'remote-schemas', 'remote-relationships'],
  ['Stacks', 'terraform', 'cdk', 'pulumi', 'resources'],
  [
    'Running it',
    'operations',
    'routing',
    'configuration',
    'observability',
    'postgresql',
    'bigquery',
    'sql-server',
    'metadata-api',
    'performance',
  ],
  ['How it is made', 'architecture', 'model', 'glossary'],
]

// biome-ignore lint/style/noDefaultExport: where VitePress searches for it
export default defineConfig({
  title: 'svc',
  description: 'A GraphQL engine whose whole configuration is declarative, and the provider that lets stacks own it',
  outDir: join(docs, '../site'),
  cacheDir: join(docs, '../node_modules/.cache/vitepress'),
  // to files of the repository; links between pages are checked by test/structure
  ignoreDeadLinks: true,
  lastUpdated: false,
  // the widest tables of the reference fit next to the outline at 1,300 pixels: their names may break, and cells are close
  head: [
    [
      'style',
      {},
      '.vp-doc td + td code { white-space: normal !important; overflow-wrap: anywhere } .vp-doc :is(td, th) { padding: 4px 8px !important; overflow-wrap: break-word }',
    ],
  ],
  markdown: {
    // a name in angle brackets is no tag, one in braces no attribute and no expression
    html: false,
    attrs: { disable: true },
    config(md) {
      const { text, code_inline: code } = md.renderer.rules
      md.renderer.rules.text = (...args) => (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
      md.renderer.rules.code_inline = (...args) => (code?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Terraform', link: '/terraform' },
      { text: 'Pulumi', link: '/pulumi' },
    ],
    sidebar: [
      ...groups.map(([text, ...pages]) => ({ text, items: items(...pages) })),
      { text: 'More', items: items(...pagesIn('.').filter((page) => !groups.some((group) => group.includes(page)))) },
      { text: 'Reference', collapsed: true, items: items(...pagesIn('reference')) },
      { text: 'Resources of Terraform', collapsed: true, items: items(...pagesIn('terraform')) },
      { text: 'Resources of Pulumi', collapsed: true, items: items(...pagesIn('pulumi')) },
    ],
  },
})
