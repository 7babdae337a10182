import assert from 'node:assert/strict'
import test from 'node:test'
import type { Json } from '@svc/schema'
import { parsePlainYaml } from './parse-plain-yaml.ts'
import { parseAnyYaml, printYaml } from './yaml-text.ts'

/** A source of random numbers below a bound, the same with each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
}

/** What the library reads; undefined where it refuses. */
function readByLibrary(text: string): Json | undefined {
  try {
    return parseAnyYaml(text, 'x.yaml')
  } catch {
    return undefined
  }
}

/** Whatever is read is what the library reads, with keys in the same order and the sign of a zero. */
function assertSame(text: string): boolean {
  const plain = parsePlainYaml(text)
  if (plain === undefined) return false
  const library = readByLibrary(text)
  assert.deepEqual(plain, library, text)
  assert.equal(JSON.stringify(plain), JSON.stringify(library), text)
  return true
}

const table = {
  table: { name: 't0', schema: 'public' },
  object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
  select_permissions: [
    {
      role: 'user',
      permission: {
        columns: ['id', 'name'],
        filter: {
          _and: [{ owner: { _eq: 'X-Svc-User-Id' } }, { price: { _gt: 0.5 } }, { rank: { _in: [-1, 0, 12] } }],
        },
        limit: null,
        allow_aggregations: true,
      },
    },
  ],
  event_triggers: [{ webhook: 'http://127.0.0.1:9/', headers: [], retry_conf: {} }],
  comment: 'it\'s "quoted": # no comment',
}

test('a file that an export has written is read without the library', () => {
  const text = `# yaml-language-server: $schema=../../../.schemas/table.json\n${printYaml(table)}`
  assert.deepEqual(parsePlainYaml(text), table)
  assert.ok(assertSame(text))
})

const plain: readonly (readonly [string, Json])[] = [
  ['a: 1', { a: 1 }],
  ['- - a\n  - b\n- c: d\n  e:\n    - f: []\n      g: {}\n', [['a', 'b'], { c: 'd', e: [{ f: [], g: {} }] }]],
  ['a: "b\\n\\"c\\" \\\\"\n', { a: 'b\n"c" \\' }],
  [`a: '"b"'\n`, { a: '"b"' }],
  ['a: http://b:9/#c\n', { a: 'http://b:9/#c' }],
  ['a: SELECT {{b}}, c FROM "d"\n', { a: 'SELECT {{b}}, c FROM "d"' }],
]

for (const [text, json] of plain)
  test(`plain YAML means what it says: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(parsePlainYaml(text), json)
    assert.ok(assertSame(text))
  })

/** The library reads or refuses these. */
const left = [
  ...[
    '',
    '\n',
    '# a\n',
    '---\na: 1\n',
    'a: 1\n...\n',
    'a:\n',
    'a:\n- b\n',
    'a:\n   b: 1\n',
    'a: b\n  c\n',
    '- a\n  b\n',
  ],
  ...['a: 1\na: 2\n', 'a: [b]\n', 'a: {b: c}\n', 'a: |\n  b\n', 'a: &b c\n', 'a: *b\n', 'a: !b c\n', 'a: b # c\n'],
  ...[
    'a: b: c\n',
    'a: b:\n',
    'a:  b\n',
    'a: b \n',
    'a: b\t\n',
    'a\t: b\n',
    '\ta: b\n',
    'a: b\r\n',
    ' a: b\n',
    'a: b\n\n',
  ],
  ...['a: yes\n', 'a: ~\n', 'a: 0x1f\n', 'a: 1e3\n', 'a: 9007199254740993\n', 'a: -0\n', 'a: 007\n', 'a: .5\n'],
  ...['a: 2020-01-01\n', '1: a\n', 'null: a\n', 'y: a\n', '__proto__: a\n', '<<: {a: b}\n', '? a\n: b\n', '"a": b\n'],
  ...['a: "\\x41"\n', 'a: "b" c\n', "a: 'it''s'\n", 'a: "b\n  c"\n', 'a: \u0085\n', 'a: b\u2028c\n', '\ufeffa: b\n'],
  ...[
    '-\n',
    '-a\n',
    '- a\nb: c\n',
    'a: b\n- c\n',
    'a: b\n  c: d\n',
    `${'- '.repeat(300)}a\n`,
    '%YAML 1.1\n---\na: b\n',
  ],
]

test('what is not plain is left to the library', () => {
  for (const text of left) assert.equal(parsePlainYaml(text), undefined, JSON.stringify(text))
})

const parts = [
  ...['a', 'b_c', '$d', '_eq', 'name', 'X-Svc-User-Id', '1', '0', '-1', '1.5', '-0', 'true', 'null', 'yes', '~', ''],
  ...[
    '"a"',
    '"a\\n"',
    "'a'",
    "'",
    '"',
    '[]',
    '{}',
    '[a]',
    'a b',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '!include a.yaml',
    '|',
    '>-',
  ],
  ...[
    'http://a/b',
    '\t',
    '\u00e9',
    '\ud83d\ude00',
    '\u2028',
    '\u0007',
    '2020-01-01',
    '0x1',
    '1e9',
    '- a',
    '*a',
    '&a',
    '...',
    '---',
  ],
]

test('random texts that are read at all are read as the library reads them', () => {
  const random = randomFrom(11)
  const pick = () => parts[random(parts.length)] ?? ''
  let read = 0
  for (let i = 0; i < 6000; i++) {
    let indent = 0
    const lines = Array.from({ length: 1 + random(6) }, (_, n) => {
      const lead = ' '.repeat(indent) + '- '.repeat(random(9) === 0 ? 1 + random(2) : 0)
      const opens = random(3) === 0
      const value = random(3) === 0 ? pick() : 'v'
      indent = Math.max(0, indent + (random(20) === 0 ? 1 : opens && random(9) > 0 ? 2 : -2 * random(2)))
      if (opens) return `${lead}k${n}:`
      return random(9) === 0 ? lead + pick() : `${lead}${random(9) === 0 ? pick() : `k${n}`}: ${value}`
    })
    if (assertSame(lines.join('\n'))) read++
  }
  assert.ok(read > 500, `${read} were read`)
})

test('a printed document with a random edit is read as the library reads it, or left to it', () => {
  const random = randomFrom(5)
  const text = printYaml(table)
  let read = 0
  for (let i = 0; i < 3000; i++) {
    const at = random(text.length)
    const edits = [
      text.slice(0, at) + text.slice(at + 1 + random(3)),
      text.slice(0, at) + (parts[random(parts.length)] ?? '') + text.slice(at),
      text.slice(0, at) + [' ', '\n', ':', '-', '#', '"', '  ', ': ', '- '][random(9)] + text.slice(at),
      text.slice(0, at) + text.slice(text.indexOf('\n', at) + 1),
    ]
    if (assertSame(edits[random(edits.length)] ?? text)) read++
  }
  assert.ok(read > 300, `${read} were read`)
})
