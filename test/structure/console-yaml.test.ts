import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseDocument } from '../../console/standins/yaml.ts'
import { parseAnyYaml } from '../../provider/src/directory/yaml-text.ts'

/** What the page reads; undefined where it says that it cannot. */
function readByPage(text: string): unknown {
  const { errors, toJS } = parseDocument(text)
  return errors.length > 0 ? undefined : toJS()
}

function readByLibrary(text: string): unknown {
  try {
    return parseAnyYaml(text, 'x.yaml')
  } catch {
    return undefined
  }
}

const written = [
  '# a project\n\na: 1 # one\nb:\n- x\n-   y: 1\n    z: [p, "q, r", {s: t, u}]\n',
  '---\nfilter: {_and: [{a: {_eq: X-Svc-User-Id}}, {b: {_gt: 0.5}}]}\ncolumns: [id,\n  title, # both\n  ]\n',
  'query: |\n  query A {\n    b\n  }\n\nother: >-\n  one\n  two\n\n  three\n    more\n  four\nlast: |+\n  x\n\n',
  "text: \"a\\tb \\u00e9 \\x41\"\nsingle: 'it''s'\nplain: it's a # no\nurl: http://a:9/#b\nlong: one\n  two\n\n  three\nquoted: \"a\n  b\n\n  c\"\n",
  'tables: "!include default/tables.yaml"\nothers: !include x.yaml\nlist:\n  - !include a/b.yaml\n  - "!include c.yaml"\n',
  'n: [0x1f, 0o17, 1e3, .5, -0, 007, 9007199254740993, ~, null, True, yes, 2020-01-01, .inf]\n',
  '- - a\n  - b\n-\n  c: d\n- \n',
  '"quoted key": 1\n\'other\': {}\n$eq: []\nempty:\nlast: ""\n',
  'a:\r\n  - b\r\n',
  'a: |2\n    b\n   c\n',
  '',
  '# nothing\n',
]

test('the page reads YAML as people write it, as the library does', () => {
  const projects = globSync(['examples/**/metadata/**/*.yaml', 'test/upgrade/kept/**/metadata/**/*.yaml'])
  assert.ok(projects.length > 40)
  for (const text of [...written, ...projects.map((file) => readFileSync(file, 'utf8'))]) {
    const read = readByPage(text)
    assert.deepEqual(read, readByLibrary(text), text)
    assert.equal(JSON.stringify(read), JSON.stringify(readByLibrary(text)), text)
  }
})

const left = ['a: &x 1\nb: *x\n', '<<: {a: 1}\n', 'a: !!str 1\n', '? a\n: b\n', 'a: 1\n---\nb: 2\n', 'a: 1\na: 2\n', 'a: [b\n', 'a: "b\n', 'a:\n\t- b\n', 'a: b: c\n', 'a: 1\n  b: 2\n'] // biome-ignore format: one line

test('what the page does not read, or is wrong, is an error with its line', () => {
  for (const text of left) {
    const [error] = parseDocument(text).errors as readonly { readonly message: string; readonly linePos: readonly { readonly line: number }[] }[] // biome-ignore format: one line
    assert.ok(error && error.message !== '' && error.linePos[0] && error.linePos[0].line > 0, text)
  }
})

const parts = ['a', 'b:', 'c: d', '- ', '- x', '  ', '    ', '\n', '\n', '"a"', "'b'", '[a, b]', '{a: b}', '[', ']', '|', '>-', '#c', ' #d', '1', 'null', '~', 'a b', 'http://a/b', '\t', "it's", '"', ':', ', ', '!include a.yaml', 'x: y\n', '  z: 1\n', '- k: v\n', '---\n', '\n\n', '-1.5', 'e'] // biome-ignore format: one line

test('of texts at random the page reads none otherwise than the library', () => {
  let state = 7
  const below = (bound: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * bound)
  }
  let both = 0
  for (let n = 0; n < 5_000; n++) {
    const text = Array.from({ length: 1 + below(7) }, () => parts[below(parts.length)]).join('')
    const read = readByPage(text)
    const library = readByLibrary(text)
    if (read === undefined || library === undefined) continue
    both++
    assert.equal(JSON.stringify(read), JSON.stringify(library), JSON.stringify(text))
  }
  assert.ok(both > 500, `${both}`)
})
