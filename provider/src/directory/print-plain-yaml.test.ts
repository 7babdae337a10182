import assert from 'node:assert/strict'
import test from 'node:test'
import type { Json } from '@svc/schema'
import { parse } from 'yaml'
import { parseYaml, printAnyYaml, printYaml } from './yaml-text.ts'

/** Texts that YAML has something to say about, and some that it has not. */
const texts = [
  ...[
    'a',
    'X-Svc-User-Id',
    'public',
    'a b',
    'a.b/c',
    '$x',
    '_eq',
    '',
    ' ',
    'a ',
    ' a',
    'a-',
    '-',
    '- a',
    '-a',
    '?',
    '? a',
  ],
  ...[
    'yes',
    'No',
    'ON',
    'off',
    'y',
    'N',
    'true',
    'False',
    'null',
    'Null',
    '~',
    '.inf',
    '.NaN',
    'NaN',
    'inf',
    '<<',
    '=',
  ],
  ...['1', '1.5', '0x1f', '1e3', '+1', '-1', '1_000', '12:30', '2020-01-01', '0o7', '.5', '1.'],
  ...[
    'a: b',
    'a:b',
    'a:',
    ': a',
    'a #b',
    'a#b',
    '#a',
    '&a',
    '*a',
    '!a',
    '!include x',
    '|',
    '>',
    '%a',
    '@a',
    '`a',
    "it's",
    '"a"',
  ],
  ...[
    '[a]',
    '{a}',
    'a, b',
    'a\nb',
    'a\n',
    '\na',
    'a\tb',
    '\ta',
    'a\r\nb',
    '---',
    '--- a',
    '...',
    'é',
    '日本',
    '\u0000',
    '\u2028',
  ],
  ...['a'.repeat(250), 'a b '.repeat(300), 'http://127.0.0.1:9/', '{{$body.input}}', 'a\\b', '\ud800', '\ufeff'],
]

const scalars: readonly Json[] = [...texts, 0, 1, -1, 2 ** 53, 1e21, 0.1, -0, 5e-324, true, false, null]

test('plain YAML is the text that the library writes, and means what it was made of', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  const value = (depth: number): Json => {
    const kind = random(depth > 4 ? 6 : 10)
    if (kind < 6) return scalars[random(scalars.length)] ?? null
    if (kind < 8) return Array.from({ length: random(4) }, () => value(depth + 1))
    const keys = Array.from({ length: random(4) }, () =>
      random(4) === 0 ? (texts[random(texts.length)] ?? '') : `k${random(9)}`,
    )
    return Object.fromEntries(keys.map((key) => [key, value(depth + 1)]))
  }
  for (const one of scalars) {
    assert.equal(printYaml({ a: one, b: [one, [one]] }), printAnyYaml({ a: one, b: [one, [one]] }))
    assert.equal(printYaml(one), printAnyYaml(one))
  }
  for (let i = 0; i < 3000; i++) {
    const json = value(0)
    const text = printYaml(json)
    assert.equal(text, printAnyYaml(json))
    if (!/\ud800|\ufeff|!include|-0|\n\n|<</.test(text)) assert.deepEqual(parseYaml(text, 'x.yaml'), json)
  }
})

test('texts are read by readers of YAML 1.1 as they were, without characters that some of them refuse', () => {
  const odd = [
    '\t',
    'a\tb',
    '=',
    '\u007f',
    'a\u0085b',
    '\u009f',
    '\u2028',
    'a\u2029b',
    '\ufeff',
    '\ufeffa',
    '\uffff',
    '\u{1f600}',
  ]
  const numbers = ['0x1F', '017', '0b11', '190:20:30', '685_230.15', '1e400', '-.INF', '2001-12-14t21:59:43.10-05:00']
  const blocks = ['a\n\tb', ' a\n b', 'a\n\n', '# a\nb', 'a: |\n  b', 'x'.repeat(3000), 'a b '.repeat(500).trim()]
  for (const text of [...odd, ...numbers, ...blocks, ...texts].filter((one) => one.isWellFormed()))
    for (const json of [
      { k: text, l: [text, [text]] },
      { k: { [`${text}`]: 1 } },
      { k: [{ [text]: { [text]: text } }] },
    ]) {
      const printed = printYaml(json)
      assert.doesNotMatch(printed, /[\u007f-\u009f\u2028\u2029\ufeff\uffff]/)
      assert.ok(!odd.includes(text) || !printed.includes('\t'))
      assert.deepEqual(parseYaml(printed, 'x.yaml'), json)
      // `<<` and `!include` mean what they say in values only
      if (!/^<<|^!/.test(text)) assert.deepEqual(parse(printed, { version: '1.1', stringKeys: true }), json, printed)
    }
})
