/** What comments and pages refer to is there: sections of docs/reference, pages, anchors. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const own = (path: string): boolean => !/node_modules|(^|\/)dist\//.test(path)
const sources = globSync('{engine,provider,schema,tools,bench,test,examples}/**/*.{ts,mjs,js}', { cwd: root }).filter(
  own,
)
const pages = [
  'README.md',
  ...globSync('{docs,bench/results}/**/*.md', { cwd: root }).filter(
    (path) => !/^docs[/](terraform|pulumi)[/]/.test(path),
  ),
]

/** As GitHub makes them: lower case, punctuation left out, spaces as hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(page: string): ReadonlySet<string> {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```/gm, '')
  return new Set([...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

test('each citation of the reference names a section', () => {
  const missing = sources.flatMap((path) =>
    [...read(path).matchAll(/\breference\/([a-z-]+)(?:#([a-z0-9_-]+))?(?![\w./-])/g)].flatMap(
      ([cited, page = '', anchor]) => {
        const file = `docs/reference/${page}.md`
        if (!existsSync(join(root, file))) return [`${path}: ${cited}`]
        return anchor !== undefined && !anchorsOf(file).has(anchor) ? [`${path}: ${cited}`] : []
      },
    ),
  )
  assert.deepEqual(missing, [])
})

test('nothing cites what is not in the repository', () => {
  const cited = /\b(?:spec|sheet) 0\d|\bwire\.md/
  const outside = [...sources, ...pages].filter((path) => path !== 'test/structure/citations.test.ts')
  assert.deepEqual(
    outside.filter((path) => cited.test(read(path))),
    [],
  )
})

test('each link between pages leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [
      ...read(page)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ].flatMap(([link, path = '', anchor]) => {
      const file = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, file))) return [`${page}: ${link}`]
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor) ? [`${page}: ${link}`] : []
    }),
  )
  assert.deepEqual(broken, [])
})
