import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly } from '../exact-json/index.ts'
import {
  defaultLimits,
  evaluateTemplate,
  formatValueAsJson,
  parseStringTemplate,
  parseTemplate,
  type TemplateLimits,
  type TemplateValue,
} from './index.ts'

function run(text: string, body: TemplateValue = null, limits: TemplateLimits = defaultLimits): unknown {
  const parsed = parseTemplate(text)
  if (parsed.kind === 'error') return parsed.error
  const result = evaluateTemplate(
    parsed.template,
    { variables: new Map([['$body', body]]), functions: new Map() },
    limits,
  )
  if (result.kind === 'error') return result.error
  const formatted = formatValueAsJson(result.value, limits)
  return formatted.kind === 'error' ? formatted.error : JSON.parse(formatted.text)
}

const codeOf = (result: unknown) => (result as { readonly error_code?: string })?.error_code

/** Template, `$body`, result. */
const values: readonly (readonly [string, TemplateValue, unknown])[] = [
  ['{{ $body?.a.b ?? "d" }}', {}, 'd'],
  ['"x={{$body}}"', { k: 1 }, 'x={"k":1}'],
  ['{{ not(true) && false }}', null, true],
  ['[{{range _, v := $body}} {{v}} {{end}}]', [1, 2], [[1, 2]]],
  ['{{ concat([concat({{range _, x := $body}} "t={{x}}&" {{end}}), "f=1"]) }}', ['a', 'b'], 't=a&t=b&f=1'],
  ['$body.x', { x: 1 }, 1],
  ['{{ {{ $body.x }} }}', { x: 1 }, 1],
  ['{"a":{"b":{{ $body }}}}', 1, { a: { b: 1 } }],
  ['{"a": {{ {"b": {"c": 1} } }} }', null, { a: { b: { c: 1 } } }],
  ['# comment }} "\n 1 # end', null, 1],
  ['"# none"', null, '# none'],
  ["$body['a b'].c", { 'a b': { c: [] } }, []],
  ['$body["a"]', { a: 7 }, 7],
  ['$body[1]', [1, 2], 2],
  ['$body[$body[0]]', [1, 5], 5],
  ['$body?[9].x', [1], null],
  ["$body?['x']?.y", { x: { y: 2 } }, 2],
  ['$nowhere? ?? 3', null, 3],
  ['a-b', null, { error_code: 'Name Error', message: "Variable 'a-b' not in scope", source_position: at(0, 1, 0, 4) }],
  ['{"a":1,"a":2,"b":3}', null, { a: 1, b: 3 }],
  ['{"__proto__": 1, "constructor": 2}', null, JSON.parse('{"__proto__": 1, "constructor": 2}')],
  ['[1,-2.5e3,[],{}, true, false, null]', null, [1, -2500, [], {}, true, false, null]],
  ['"a\\"\\\\\\n\\u0041\\{{ x }}\\/"', null, 'a"\\\nA{{ x }}\\/'],
  ['"two\nlines { } {a}"', null, 'two\nlines { } {a}'],
  ['"{{ concat(["a", "b{{ 1 }}"]) }}!"', null, 'ab1!'],
  [
    '"{{ null }} {{ true }} {{ 0.01 }} {{ 12345678.5 }} {{ 0.5 }} {{ 1e21 }} {{ {"a":0.05} }}"',
    null,
    'null true 1.0e-2 1.23456785e7 0.5 1000000000000000000000 {"a":5.0e-2}',
  ],
  ['{{ if $body.ok }} 1 {{ elif $body.no }} 2 {{ else }} 3 {{ end }}', { ok: false, no: true }, 2],
  ['"{{ {{ if true }} "a" {{ else }} "b" {{ end }} }}"', null, 'a'],
  [
    '{{ range i, x := $body }} {"i": i, "x": {{ range _, y := x }} [i, y] {{ end }} } {{ end }}',
    [[1], [2, 3]],
    [
      { i: 0, x: [[0, 1]] },
      {
        i: 1,
        x: [
          [1, 2],
          [1, 3],
        ],
      },
    ],
  ],
  ['1 == 1.0', null, true],
  ['{"a":[1]} == {"a":[1.0]}', null, true],
  ['$body.a == $body.b', { a: { x: 1, y: 2 }, b: { y: 2, x: 1 } }, true],
  ['[{} < [], [] < "", "" < 0, 0 < false, false < true, true < null]', null, [true, true, true, true, true, true]],
  ['["a" < "b", [1,2] < [1,3], 2 >= 2, 3 <= 2]', null, [true, true, true, false]],
  ['["a" in $body, "z" in $body, "a" in ["a"], 2 in [1, 2.0]]', { a: 1 }, [true, false, true, true]],
  ['not true', null, false],
  ['(size($body)) > 1', [1, 2], true],
  ['(true && false) || true', null, true],
  [
    '[empty(""), empty(" "), empty([]), empty({}), empty(0), empty(null), empty("a"), empty([1])]',
    null,
    [true, true, true, true, true, true, false, false],
  ],
  ['[size("å😀"), size([1]), size({"a":1}), size(4), size(true), size(null)]', null, [2, 1, 1, 4, 1, 0]],
  [
    '[inverse([1,2]), inverse("ab"), inverse(4), inverse(true), inverse({"a":1}), inverse(null)]',
    null,
    [[2, 1], 'ba', 0.25, false, { a: 1 }, null],
  ],
  ['[head([1,2]), tail([1,2]), head("ab"), tail("ab")]', null, [1, [2], 'a', 'b']],
  [
    '[toLower("Å"), toUpper("å"), toTitle("hello big world"), toCaseFold("STRASSE")]',
    null,
    ['å', 'Å', 'Hello Big World', 'strasse'],
  ],
  ['escapeUri("a b&å!-_.~")', null, 'a%20b%26%C3%A5%21-_.~'],
  ['[toPairs({"a":1}), fromPairs([["b",2]])]', null, [[['a', 1]], { b: 2 }]],
  [
    '[removeNulls([1,null]), concat([[1],[2]]), concat(["a","b"]), concat([{"a":1,"b":1},{"a":2}]), concat([])]',
    null,
    [[1], [1, 2], 'ab', { a: 2, b: 1 }, []],
  ],
]

function at(startLine: number, startColumn: number, endLine: number, endColumn: number) {
  return { start_line: startLine, start_column: startColumn, end_line: endLine, end_column: endColumn }
}

test('templates have the values that the language says', () => {
  for (const [template, body, expected] of values) assert.deepEqual(run(template, body), expected, template)
})

test('numbers keep their digits', () => {
  const body = parseExactly(
    '{"id": 9007199254740993, "same": 9007199254740993.0, "less": 9007199254740992}',
  ) as TemplateValue
  const parsed = parseTemplate(
    '{"id": $body.id, "text": "{{$body.id}}", "more": $body.id > $body.less, "same": $body.id == $body.same}',
  )
  assert.equal(parsed.kind, 'template')
  const result =
    parsed.kind === 'template' &&
    evaluateTemplate(parsed.template, { variables: new Map([['$body', body]]), functions: new Map() })
  assert.ok(result && result.kind === 'value')
  assert.deepEqual(formatValueAsJson(result.value), {
    kind: 'text',
    text: '{"id":9007199254740993,"text":"9007199254740993","more":true,"same":true}',
  })
})

/** Template, `$body`, code, text, position. */
const errors: readonly (readonly [string, TemplateValue, string, string, ReturnType<typeof at>])[] = [
  ['{{ $body.world }}', { hello: 1 }, 'Attribute Error', "'Object' has no attribute 'world'.", at(0, 4, 0, 15)],
  ['$body.hello }}', null, 'Parse Error', "Unexpected token '}'.", at(0, 13, 0, 14)],
  ['{{ if $body.ok }} 1 {{ end }}', null, 'Parse Error', "Unexpected token 'end'.", at(0, 24, 0, 27)],
  ['', null, 'Parse Error', 'ParseError: Empty token stream.', at(0, 1, 0, 1)],
  ['"{{ }}"', null, 'Parse Error', 'ParseError: Empty token stream.', at(0, 5, 0, 7)],
  ['true && true && true', null, 'Parse Error', "Unexpected token '&&'.", at(0, 14, 0, 16)],
  ['size([]) > 1', null, 'Parse Error', "Unexpected token '>'.", at(0, 10, 0, 11)],
  ['[1,]', null, 'Parse Error', "Unexpected token ']'.", at(0, 4, 0, 5)],
  ['$body.if', null, 'Parse Error', "Unexpected token 'if'.", at(0, 7, 0, 9)],
  ['{"{{1}}": 1}', null, 'Parse Error', 'Unexpected token \'"{{1}}"\'.', at(0, 2, 0, 9)],
  ['1 +', null, 'Lex Error', "Invalid Lexeme: '1 +'", at(0, 3, 0, 4)],
  ['"a', null, 'Lex Error', "Invalid Lexeme: '\"a'", at(0, 1, 0, 3)],
  ['\n  $x', null, 'Name Error', "Variable '$x' not in scope", at(1, 3, 1, 5)],
  ['nothing(1)', null, 'Name Error', "Variable 'nothing' not in scope", at(0, 1, 0, 11)],
  ['$body.x', 'a', 'Type Error', "Couldn't match expected type 'Object' with actual type 'String'", at(0, 1, 0, 8)],
  ['$body?.x', 'a', 'Type Error', "Couldn't match expected type 'Object' with actual type 'String'", at(0, 1, 0, 9)],
  [
    '$body["x"]',
    [1],
    'Type Error',
    "Couldn't match expected type 'Integer' with actual type 'String'",
    at(0, 7, 0, 10),
  ],
  ['$body[3]', [1], 'Index Error', 'Can only range over an array', at(0, 1, 0, 9)],
  ['{{range _, x := $body}} x {{end}}', 1, 'Index Error', 'Can only range over an array', at(0, 17, 0, 22)],
  ['$body.x ?? 1', {}, 'Attribute Error', "'Object' has no attribute 'x'.", at(0, 1, 0, 8)],
  [
    'true && 1',
    null,
    'Type Error',
    "Couldn't match expected type 'Boolean' with actual type 'Number'",
    at(0, 9, 0, 10),
  ],
  [
    '{{ if 1 }} 1 {{ else }} 2 {{ end }}',
    null,
    'Type Error',
    "Couldn't match expected type 'Boolean' with actual type 'Number'",
    at(0, 7, 0, 8),
  ],
  [
    'toLower(1)',
    null,
    'Function Error',
    'parsing String failed, expected String, but encountered Number',
    at(0, 9, 0, 10),
  ],
  ['empty(true)', null, 'Function Error', 'Cannot define emptiness for a boolean', at(0, 7, 0, 11)],
  ['head([])', null, 'Function Error', 'Empty array', at(0, 6, 0, 8)],
  ['$body.__proto__', {}, 'Parse Error', "Unexpected token '_'.", at(0, 7, 0, 8)],
  ["$body['__proto__']", {}, 'Attribute Error', "'Object' has no attribute '__proto__'.", at(0, 1, 0, 19)],
]

test('errors say what, and where', () => {
  for (const [template, body, error_code, message, source_position] of errors)
    assert.deepEqual(run(template, body), { error_code, message, source_position }, template)
})

test('string templates are the inside of a string', () => {
  const parsed = parseStringTemplate('{{$body}}/a?b={{ escapeUri("c d") }}')
  assert.ok(parsed.kind === 'template')
  assert.deepEqual(
    evaluateTemplate(parsed.template, { variables: new Map([['$body', 'http://h']]), functions: new Map() }),
    { kind: 'value', value: 'http://h/a?b=c%20d' },
  )
  assert.equal(parseStringTemplate('a"b').kind, 'error')
})

test('a template nests only so deep, in accesses too', () => {
  const result = parseTemplate(`{{ $body${'.a'.repeat(50_000)} }}`)
  assert.ok(result.kind === 'error' && /more than 300 levels/.test(result.error.message))
  assert.equal(parseTemplate(`{{ $body${'.a'.repeat(200)} }}`).kind, 'template')
})

test('evaluation ends: nested ranges, doubling texts and shared values run into limits', () => {
  const many = Array.from({ length: 200 }, (_, index) => index)
  const nested = (depth: number, inner: string): string =>
    depth === 0 ? inner : `{{ range _, x := $body }} ${nested(depth - 1, inner)} {{ end }}`
  const limits = { steps: 200_000, characters: 1_000_000 }
  assert.equal(codeOf(run(nested(4, '1'), many, limits)), 'Limit Error')
  assert.equal(codeOf(run(nested(2, '"{{$body}}"'), many, limits)), 'Limit Error')
  assert.equal(codeOf(run(`${'['.repeat(5000)}${']'.repeat(5000)}`)), 'Parse Error')
  assert.equal(codeOf(run('"{{ '.repeat(500))), 'Lex Error')
  const shared = parseTemplate(nested(1, '$body'))
  assert.ok(shared.kind === 'template')
  const value = evaluateTemplate(
    shared.template,
    { variables: new Map([['$body', many]]), functions: new Map() },
    limits,
  )
  assert.ok(value.kind === 'value')
  assert.equal(formatValueAsJson(value.value, { steps: 200_000, characters: 10_000 }).kind, 'error')
})

test('random templates end with a value or an error of a known kind', () => {
  const pieces = [
    '{{',
    '}}',
    '"',
    '$body',
    '.a',
    '?',
    "['b']",
    '[0]',
    'range i, x := ',
    'if ',
    'else',
    'end',
    'elif ',
    '??',
    '==',
    ' in ',
    'not ',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    'concat(',
    'size(',
    '1',
    'null',
    'true',
    ' ',
    '\n',
    '\\u00',
    '\\',
    "'",
    '#',
    'x',
    '_',
    '&&',
    '<',
  ]
  let seed = 12345
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const templates = values.map(([template]) => template)
  for (let count = 0; count < 3000; count++) {
    let template = random(2) === 0 ? (templates[random(templates.length)] ?? '') : ''
    for (let edits = 1 + random(6); edits > 0; edits--) {
      const place = random(template.length + 1)
      template = template.slice(0, place) + (pieces[random(pieces.length)] ?? '') + template.slice(place + random(3))
    }
    run(template, { a: [1, { b: 'x' }], b: null }, { steps: 10_000, characters: 10_000 })
  }
})
