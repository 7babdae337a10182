import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Names that fit everything: each is declared once in a package, for the one thing that docs/glossary.md has under it, and
 * whatever else it could fit has a second word (`PlanEntry`, `TextPlace`, `ModelDraft`). Tests and tools count as a package.
 */
const general = ['Environment', 'Entry', 'Place', 'Asked', 'Draft']

type File = { readonly path: string; readonly text: string }

const packageOf = (path: string): string => /^(schema|engine|provider)\//.exec(path)?.[1] ?? 'tests and tools'

/** Those that are declared more than once, with where. */
function declaredAgain(files: readonly File[]): readonly string[] {
  const places = new Map<string, string[]>()
  const declaration = new RegExp(
    `^\\s*(?:export )?(?:abstract )?(?:type|interface|class) (${general.join('|')})\\b(?! *,)`,
    'gm',
  )
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(declaration)) {
      const key = `${packageOf(path)}: ${name}`
      places.set(key, [...(places.get(key) ?? []), path])
    }
  return [...places].flatMap(([key, paths]) => (paths.length > 1 ? [`${key}: ${paths.join(', ')}`] : []))
}

test('a general name stands for one thing', () => {
  const paths = execFileSync('git', ['ls-files', '-z', '*.ts', ':!sdk', ':!cdk'], { encoding: 'utf8' }).split('\0')
  const files = paths.filter((path) => path !== '').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  assert.ok(files.length > 1000)
  assert.deepEqual(declaredAgain(files), [])
})

test('a second declaration is found, an import is none', () => {
  const files = [
    { path: 'engine/src/a.ts', text: 'export interface Draft {}' },
    { path: 'engine/src/b.ts', text: 'import {\n  type Draft,\n} from "./a.ts"' },
    { path: 'provider/src/c.ts', text: 'type Draft = {}' },
  ]
  assert.deepEqual(declaredAgain(files), [])
  const again = { path: 'engine/src/c.ts', text: 'class Draft {}' }
  assert.deepEqual(declaredAgain([...files, again]), ['engine: Draft: engine/src/a.ts, engine/src/c.ts'])
})
