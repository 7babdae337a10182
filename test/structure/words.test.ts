import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'

/**
 * Product code and docs use the words of the field (docs/glossary.md), not pictures that have to be explained: left the
 * words, right what they stood for.
 */
const pictures: readonly (readonly [RegExp, string])[] = [
  [/\b(rooms?|floors?|houses?)\b/i, 'module, layer, architecture, or what it is the size of'],
  [/\bdoors?\b/i, 'public API'],
  [/\bflaws?\b|\bFlaw[A-Z]\w*/i, 'resolution error'],
  [/\bfaces?\b|\b\w+Face\b/, 'GraphQL view of a table, declaration'],
  [/\bmanners\b/i, 'connection policy'],
  [/\bweigh(ed|s)?\b|\bheavy lanes?\b/i, 'measured cost, connection for expensive statements'],
  [/\blet in between\b|\bbreathes?\b/i, 'yields to the event loop'],
]

/** Texts of programs, which tools show or documents repeat. */
const strings = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g

/** Of a page. */
const examples = /^```[\s\S]*?^```/gm

/** Here a word is what it says. */
const plainUses = /Math\.floor|told (apart|otherwise|to stop)/g

export function findPictures(path: string, text: string): readonly string[] {
  const code = path.endsWith('.ts') ? text.replace(strings, "''") : text.replace(examples, '')
  return code
    .replace(plainUses, '')
    .split('\n')
    .flatMap((line, i) =>
      pictures.flatMap(([word, instead]) =>
        word.test(line) ? [`${path}:${i + 1}: ${line.trim()} (say: ${instead})`] : [],
      ),
    )
}

test('product code and docs use the words of the field', () => {
  const paths = [
    ...globSync('{schema,engine,provider}/src/**/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path)),
    ...globSync('docs/*.md'),
  ].map((path) => path.split(sep).join('/'))
  assert.ok(paths.length > 500)
  assert.deepEqual(
    paths.flatMap((path) => findPictures(path, readFileSync(path, 'utf8'))),
    [],
  )
})

test('a picture is found in comments and names, not in texts', () => {
  assert.equal(findPictures('a.ts', '/** Imports nothing of the house. */').length, 1)
  assert.equal(findPictures('a.ts', 'throw new Flaw(text)').length, 1)
  assert.deepEqual(findPictures('a.ts', "const text = 'the house of it'; Math.floor(1.5)"), [])
})
